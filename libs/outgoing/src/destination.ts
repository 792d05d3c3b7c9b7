import { isPublicAddress, parseAddress } from './addresses.ts'
import type { AllowList } from './allow-list.ts'
import { OutgoingFailure } from './outgoing-failure.ts'

/** Turns a host name into its addresses; the default asks the system once. */
export type Resolve = (host: string) => Promise<string[]>

/** The addresses that were checked for a host, and the only ones a connection may use. */
export interface Destination {
  addresses: [string, ...string[]]
}

/** Parses the URL of a caller: http or https without user information. Throws `bad_url`. */
export function parseTarget(text: string, base?: URL): URL {
  const url = tryParse(text, base)
  if (!url) throw new OutgoingFailure('bad_url', 'The URL cannot be read')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutgoingFailure('bad_url', 'Only http and https URLs are allowed')
  if (url.username || url.password) throw new OutgoingFailure('bad_url', 'Credentials do not belong into a URL')
  return url
}

function tryParse(text: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Normalises a host for comparison: lower case, no brackets, no trailing dots. The URL parser has normalised numeric spellings. */
export function hostOf(url: { hostname: string }): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '')
    .toLowerCase()
}

/** The port of a URL, the default of its scheme included. */
export function portOf(url: { port?: string; protocol: string }): number {
  return url.port ? Number(url.port) : url.protocol === 'https:' ? 443 : 80
}

/** Resolves a host once and checks every address; throws `refused_address` if any is not allowed, `unresolvable` if there is none. */
export async function findDestination(
  host: string,
  port: number,
  { allow, resolve }: { allow: AllowList; resolve: Resolve },
): Promise<Destination> {
  const literal = parseAddress(host)
  const addresses = literal ? [literal.toString()] : await lookUp(host, resolve)
  const [first, ...rest] = addresses
  if (first === undefined) throw new OutgoingFailure('unresolvable', `The host ${host} has no address`)
  const trusted = allow.allowsName(host, port)
  const refused =
    !trusted && addresses.some(address => !isPublicAddress(address) && !allow.allowsAddress(address, port))
  if (refused) throw new OutgoingFailure('refused_address', `The host ${host} leads to an address that is not public`)
  return { addresses: [first, ...rest] }
}

async function lookUp(host: string, resolve: Resolve): Promise<string[]> {
  try {
    return await resolve(host)
  } catch (cause) {
    throw new OutgoingFailure('unresolvable', `The host ${host} cannot be resolved`, { cause })
  }
}
