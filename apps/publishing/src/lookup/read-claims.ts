import { fieldFault } from '@recto/operation'
import { RISON } from 'rison2'

/** Reads claims in Rison, a compact form of JSON for URLs; throws `invalid_request` for anything but an object. */
export function readClaims(text: string): Record<string, unknown> {
  const claims = parseRison(text)
  if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return { ...claims }
  throw fieldFault('query.claims', 'must be an object in Rison')
}

function parseRison(text: string): unknown {
  try {
    return RISON.parse(text)
  } catch {
    return undefined
  }
}
