import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { clockTolerance } from './clock.ts'
import { OpenIdFailure } from './openid-failure.ts'

/** Whose sessions a provider ends: those of a session of its own, or all of a user. */
export interface LogoutToken {
  /** The session at the provider. */
  sid?: string
  /** The user. */
  sub?: string
  /** When it was issued, milliseconds since the epoch: sessions that began later stay. */
  issuedAt: number
}

/** The provider and the client that a logout token must be for. */
interface Expected {
  issuer: string
  clientId: string
  keys: JWTVerifyGetKey
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** Signatures by keys that the provider publishes: a secret that it shares with clients proves nothing of it. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const types = ['logout+jwt', 'jwt']
/** Seconds for which a logout token is taken after it was issued. */
const maxAge = 300

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Throws `OpenIdFailure` for any other token. */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId: audience, keys }: Expected,
): Promise<LogoutToken> {
  const options = { issuer, audience, algorithms, clockTolerance, maxTokenAge: maxAge, requiredClaims: ['jti', 'iat'] }
  const { payload, protectedHeader } = await jwtVerify(token, keys, options)
  if (!types.includes(protectedHeader.typ?.toLowerCase() ?? 'jwt')) throw invalid('type')
  if (!isLogout(payload)) throw invalid('event')
  if ('nonce' in payload) throw invalid('nonce')
  const { sub, sid, iat = 0 } = payload
  const isSession = typeof sid === 'string' && sid !== ''
  if (!isSession && (sub === undefined || sub === '')) throw invalid('subject')
  return { issuedAt: iat * 1000, ...(sub !== undefined && { sub }), ...(isSession && { sid }) }
}

function isLogout({ events }: JWTPayload): boolean {
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, logoutEvent)) return false
  const event = (events as Record<string, unknown>)[logoutEvent]
  return typeof event === 'object' && event !== null && !Array.isArray(event)
}

function invalid(what: string): OpenIdFailure {
  return new OpenIdFailure('invalid', `The logout token has a wrong ${what}`)
}
