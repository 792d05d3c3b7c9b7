const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a URL is one that a provider may have: https, or http on the machine itself, for trying out. It has neither credentials nor a fragment. */
export function isProviderUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password, hash } = new URL(url)
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
}

/** Whether an issuer may be trusted with http between it and this installation: on the machine itself alone. */
export function isInsecure(issuer: string): boolean {
  return new URL(issuer).protocol === 'http:'
}

/** The endpoints of a provider that this client uses. */
interface Endpoints {
  authorization_endpoint?: string | undefined
  token_endpoint?: string | undefined
  jwks_uri?: string | undefined
  userinfo_endpoint?: string | undefined
  end_session_endpoint?: string | undefined
}

/** The name of the first endpoint that a provider lacks, or that is at no address that a provider may have; undefined where all are as they must be. */
export function faultyEndpoint(endpoints: Endpoints): string | undefined {
  const required = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
  const optional = ['userinfo_endpoint', 'end_session_endpoint'] as const
  return (
    required.find(name => !isProviderUrl(endpoints[name] ?? '')) ??
    optional.find(name => endpoints[name] !== undefined && !isProviderUrl(endpoints[name]))
  )
}
