import type { ServerMetadata } from 'openid-client'
import { clockTolerance } from './clock.ts'
import { endedSession, type EndedSession } from './logout-token.rules.ts'
import { OpenIdFailure } from './openid-failure.ts'
import type { ProviderDocuments } from './provider-documents.ts'
import { verifySignedToken } from './signed-token.ts'

/** The sessions that a provider ends by a logout token, and its times: milliseconds since the epoch. */
export interface LogoutToken extends EndedSession {
  /** When it was issued: sessions that began later stay. */
  issuedAt: number
  expiresAt: number
}

/** Seconds for which a logout token is taken after it was issued. */
const maxAge = 300

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Throws `OpenIdFailure` for any other token. */
export async function verifyLogoutToken(
  token: string,
  { clientId, ...source }: { clientId: string; documents: ProviderDocuments; metadata: ServerMetadata },
): Promise<LogoutToken> {
  const expected = { clientId, requiredClaims: ['jti', 'events'], typ: 'logout+jwt' }
  const { claims } = await verifySignedToken(token, source, expected)
  const session = endedSession(claims)
  if (typeof session === 'string') throw new OpenIdFailure(session)
  const { iat = 0, exp = 0 } = claims
  if (iat + maxAge + clockTolerance < Date.now() / 1000)
    throw new OpenIdFailure('expired', 'the logout token is too old')
  return Object.assign(session, { issuedAt: iat * 1000, expiresAt: exp * 1000 })
}
