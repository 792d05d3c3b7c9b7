import { fieldFault } from '@recto/operation'
import rison from 'rison'

interface Parser {
  parse(text: string): unknown
  error(message: string): unknown
}
/** The types of the library lack its parser. */
const { parser: RisonParser } = rison as typeof rison & { parser: new () => Parser }

/** Throws what it cannot read; the parser of the library prints it and goes on. */
class StrictParser extends RisonParser {
  override error(message: string): never {
    throw new SyntaxError(message)
  }
}

/** Reads claims in Rison, a compact form of JSON for URLs; throws `invalid_request` for anything but an object. */
export function readClaims(text: string): Record<string, unknown> {
  const claims = parseRison(text)
  if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return { ...claims }
  throw fieldFault('query.claims', 'must be an object in Rison')
}

function parseRison(text: string): unknown {
  try {
    return new StrictParser().parse(text)
  } catch {
    return undefined
  }
}
