import { Failure } from './failure.ts'

/** Content roles from least to most; each holds all that is below it. */
export const roles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const

/** A content role. */
export type Role = (typeof roles)[number]

/** A user's standing in one organization; a `null` role is a guest. */
export interface Membership {
  organization: string
  role: Role | null
  teams: string[]
}

/** Who makes a request, as the gateway found out from the token. */
export interface Actor {
  userId: string
  platformAdmin: boolean
  scopes: string[]
  memberships: Membership[]
  /** When the token ends, milliseconds since the epoch. */
  expiresAt?: number | undefined
  /** The organization by whose single sign-on the token was issued. */
  sso?: string | undefined
  /** Organizations the user belongs to, but not with this token: they require single sign-on. */
  ssoRequired?: string[] | undefined
}

/** Tells whether a role is at least another; no role is below every role. */
export function atLeast(role: Role | null | undefined, needed: Role): boolean {
  return role != null && roles.indexOf(role) >= roles.indexOf(needed)
}

/** The actor's membership of an organization, if any; throws `forbidden` where the organization requires single sign-on and the token has none. */
export function membershipIn(actor: Actor, organization: string): Membership | undefined {
  if (actor.ssoRequired?.includes(organization))
    throw new Failure('forbidden', 'The organization requires single sign-on: use a token from its sign-in')
  return actor.memberships.find(membership => membership.organization === organization)
}
