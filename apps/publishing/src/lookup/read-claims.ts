import { fieldFault } from '@recto/operation'
import rison from 'rison'

const { parser } = rison as unknown as { parser: { prototype: { error(message: string): never } } }
// The library prints what it cannot read, and goes on.
parser.prototype.error = message => {
  throw new SyntaxError(message)
}

/** Reads claims in Rison, a compact form of JSON for URLs; throws `invalid_request` for anything but an object. */
export function readClaims(text: string): Record<string, unknown> {
  const claims = decode(text)
  if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return { ...claims }
  throw fieldFault('query.claims', 'must be an object in Rison')
}

function decode(text: string): unknown {
  try {
    return rison.decode(text)
  } catch {
    return undefined
  }
}
