import { Failure, type Caller } from '@recto/operation'

/** Content roles in ascending order; each includes all rights of those before it. */
export const roles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const

/** A content role. */
export type Role = (typeof roles)[number]

/** A user's membership in one organization; the role `null` makes them a guest. */
export interface Membership {
  organization: string
  role: Role | null
  teams: string[]
}

/** A visitor of a published site: the content they may read, and for which version of the site. */
export interface Visitor {
  organization: string
  site: string
  /** The version of the site for which the token was issued. */
  version: number
  /** When the window of the token began, or the site changed last if that was later, milliseconds since the epoch. */
  since?: number | undefined
  /** The spaces that the site shows to the visitor. */
  spaces: string[]
  /** Claims about the visitor: conditions are evaluated with them. */
  claims: Record<string, unknown>
  /** Whether the site shows where its content is in a repository. */
  showsGit?: boolean | undefined
  /** Whether the site excludes AI agents: what exists for them alone is not given. */
  excludesAgents?: boolean | undefined
  /** Whether every change request and revision of the spaces may be read: a preview by somebody who may read them. */
  previews?: boolean | undefined
  /** Whether the preview shows parts of the site that are not live yet. */
  showsDrafts?: boolean | undefined
  /** The member who previews it for themselves, and reads comments of change requests with their rights of the moment. */
  member?: string | undefined
  /** The change request that is previewed. */
  changeRequest?: string | undefined
  /** The revision that is previewed. */
  revision?: string | undefined
}

/** Ids of the resources that a token is limited to; a collection stands for all that is in it. */
export type LimitedTo = Record<'spaces' | 'collections' | 'sites', string[]>

/** Who makes a request, as the gateway resolved it from the access token. */
export interface Actor extends Caller {
  /** `visitor` for the token of a published site, which belongs to no user. */
  kind?: 'visitor' | undefined
  visitor?: Visitor | undefined
  platformAdmin: boolean
  memberships: Membership[]
  /** When the token expires, milliseconds since the epoch. */
  expiresAt?: number | undefined
  limitedTo?: LimitedTo | undefined
  /** The organization whose single sign-on issued the token. */
  sso?: string | undefined
  /** The id of the token, when single sign-on issued it: tokens that are made with it end when it does. */
  ssoToken?: string | undefined
  /** The grant of the program that the token is of: tokens that are made with it end when that does. */
  grant?: string | undefined
  /** The organization that the caller is a service account of: they belong to no other one, and are no person. */
  serviceAccount?: string | undefined
  /** Organizations of the user that refuse this token because they require single sign-on. */
  ssoRequired?: string[] | undefined
}

/** Whether a role includes another; no role includes none. */
export function atLeast(role: Role | null | undefined, needed: Role): boolean {
  return role != null && roles.indexOf(role) >= roles.indexOf(needed)
}

/** The actor's membership of an organization, if any; throws `forbidden` where the organization requires single sign-on and the token has none. */
export function membershipIn(actor: Actor, organization: string): Membership | undefined {
  if (actor.ssoRequired?.includes(organization))
    throw new Failure('forbidden', 'The organization requires single sign-on: use a token from its sign-in')
  return actor.memberships.find(membership => membership.organization === organization)
}

/** Whether a token may be used for a resource, by its id and those of the collections around it: one that is limited, only for what it names. */
export function coversResource({ limitedTo }: Actor, ids: readonly string[]): boolean {
  if (!limitedTo) return true
  return Object.values(limitedTo).some(limits => ids.some(id => limits.includes(id)))
}

/**
 * The role in what belongs to an organization as such, and to none of its spaces, collections and sites: null for guests, for those outside,
 * and for tokens that are limited to such resources.
 */
export function roleBeyondResources(actor: Actor, organization: string): Role | null {
  const membership = membershipIn(actor, organization)
  return actor.limitedTo ? null : (membership?.role ?? null)
}

/** Every organization that the actor belongs to, including those that refuse this token. */
export function organizationsOf({ memberships, ssoRequired = [] }: Actor): string[] {
  return [...memberships.map(({ organization }) => organization), ...ssoRequired]
}

/** A member of one organization as an actor, to compute their role. */
export function memberActor(userId: string, membership: Membership): Actor {
  return { userId, platformAdmin: false, scopes: [], memberships: [membership] }
}

/** A change that may affect the rights of actors: of named users, or of all members of an organization. */
export interface ActorChange {
  userIds: readonly string[]
  organizations?: readonly string[] | undefined
}

/** Returns a predicate that matches the actors a change may affect. */
export function concernedBy({ userIds, organizations = [] }: ActorChange): (actor: Actor) => boolean {
  const users = new Set(userIds)
  const changed = new Set(organizations)
  return actor => users.has(actor.userId) || organizationsOf(actor).some(organization => changed.has(organization))
}
