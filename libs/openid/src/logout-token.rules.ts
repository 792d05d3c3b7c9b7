const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const maxIdLength = 255

/** The sessions that a logout token ends: one, or all of a user at the provider. */
export interface EndedSession {
  /** The id of the logout token (`jti`). */
  tokenId: string
  /** The user at the provider. */
  sub: string | undefined
  /** The session at the provider; all of the user where it is not there. */
  sid: string | undefined
}

/** Why a logout token is refused, besides its signature, issuer, audience and times. */
export type LogoutFault = 'structure' | 'events' | 'nonce' | 'subject'

/** Reads the claims of a verified logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), or returns the reason to refuse it. */
export function endedSession(claims: Record<string, unknown>): EndedSession | LogoutFault {
  const { jti, sub, sid, events, nonce } = claims
  if (!isId(jti)) return 'structure'
  // An ID token has a nonce, and must not pass for a logout token.
  if (nonce !== undefined) return 'nonce'
  if (!isObject(events) || !isObject(events[logoutEvent])) return 'events'
  if ((sub !== undefined && !isId(sub)) || (sid !== undefined && !isId(sid))) return 'subject'
  if (sub === undefined && sid === undefined) return 'subject'
  return { tokenId: jti, sub, sid }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxIdLength && !value.includes('\0')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
