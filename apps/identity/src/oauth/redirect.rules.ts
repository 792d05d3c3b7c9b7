const loopback = ['localhost', '127.0.0.1', '[::1]']

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
  return { isLoopback: loopback.includes(hostname), name: host }
}

/** The source of Content-Security-Policy that lets a form lead to a redirect URI by way of redirects. */
export function formTarget(uri: string): string {
  const { protocol, origin } = new URL(uri)
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol
}
