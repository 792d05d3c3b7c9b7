import { loopbackHosts } from '@recto/contracts-identity'

/** Where a redirect URI leads: to a program on this computer, or to a host. */
export interface RedirectPlace {
  isLoopback: boolean
  /** The host, or the scheme of a program. */
  name: string
}

/** Where a redirect URI leads; undefined for one that is none. */
export function redirectPlace(uri: string): RedirectPlace | undefined {
  if (!URL.canParse(uri)) return undefined
  const { protocol, hostname, host } = new URL(uri)
  if (protocol !== 'http:' && protocol !== 'https:') return { isLoopback: false, name: protocol }
  return { isLoopback: loopbackHosts.includes(hostname), name: host }
}

/** A host that Content Security Policy Level 3 has a form for: IPv6 addresses are none. */
const policyHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/

/** The source of Content-Security-Policy that lets a form lead to a redirect URI by way of redirects: its origin, or its scheme where that has no form. */
export function formTarget(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri)
  return (protocol === 'http:' || protocol === 'https:') && policyHost.test(hostname) ? origin : protocol
}
