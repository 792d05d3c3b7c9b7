import { errors, jwtVerify } from 'jose'

/** The content of a token of a visitor's login server: its claims, or why it is refused, in words for the visitor. */
export type VisitorJwt = { claims: Record<string, unknown> } | { refusal: string }

/** Seconds by which the clocks of login servers may differ. */
const clockTolerance = 30
const registered = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

/**
 * Verifies the JWT (RFC 7519) that a site's login server gave a visitor: HS256 with one of the site's keys, which are tried in turn;
 * it must expire, and an audience that it names must be an address of the site.
 */
export async function verifyVisitorJwt(
  token: string,
  { keys, audiences }: { keys: readonly string[]; audiences: readonly string[] },
): Promise<VisitorJwt> {
  let refusal = 'The login is not valid'
  for (const key of keys) {
    try {
      const options = { algorithms: ['HS256'], requiredClaims: ['exp'], clockTolerance }
      const { payload } = await jwtVerify(token, new TextEncoder().encode(key), options)
      const tokenAudiences = [payload.aud ?? []].flat()
      if (tokenAudiences.length > 0 && !tokenAudiences.some(audience => audiences.includes(audience)))
        return { refusal: 'The login is for another site' }
      return { claims: Object.fromEntries(Object.entries(payload).filter(([name]) => !registered.includes(name))) }
    } catch (error) {
      if (error instanceof errors.JWTExpired) refusal = 'The login has expired'
      else if (!(error instanceof errors.JOSEError)) throw error
    }
  }
  return { refusal }
}
