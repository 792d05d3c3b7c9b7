/** The credential of a client: the token of a visitor who logged in, or the key of a share link. */
export type Credential = { jwtToken: string } | { shareKey: string } | undefined

const jwt = /^[\w-]+\.[\w-]+\.[\w-]*$/
const maxLength = 8_192

/** Reads the credential of a header `Authorization: Bearer` (RFC 6750); what is longer than any is none. */
export function credentialOf(authorization: string | undefined): Credential {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (token === undefined || token.length > maxLength) return undefined
  return jwt.test(token) ? { jwtToken: token } : { shareKey: token }
}

/** The header that says how a client proves what its visitor may read (RFC 6750, 3). */
export function challenge({ realm, hasCredential }: { realm: string; hasCredential: boolean }): string {
  const how = "Send the JWT of the site's login server, or the key of the share link, as Authorization: Bearer"
  const error = hasCredential ? 'error="invalid_token", ' : ''
  return `Bearer realm="${realm.replaceAll(/[^\w.:-]/g, '')}", ${error}error_description="${how}"`
}
