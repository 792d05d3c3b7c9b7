import { atLeast, membershipIn, roles, type Actor, type Membership, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'

/** What everybody may do with an object: a role, what they may do further up, or nothing. */
export type DefaultLevel = Role | 'inherit' | null

/** What is set on one object of the way from a space or collection up through its parents. */
export interface Level {
  defaultLevel: DefaultLevel
  users: Record<string, Role>
  teams: Record<string, Role>
}

/** What a caller was granted on one object, besides what everybody has by its default level. */
export interface Granted {
  defaultLevel: DefaultLevel
  userGrant: Role | null
  teamGrants: Record<string, Role> | null
}

/** An object with all that a caller's role on it depends on: the collections it is in, the nearest first. */
export interface Placed extends Granted {
  organizationId: string
  above: Granted[] | null
}

/** How a caller sees an object. */
export interface View {
  role: Role | null
  /** Their role on the collection it is in: they are not told of one that they may not see. */
  parentRole: Role | null
  isOrganizationAdmin: boolean
}

/**
 * The role of a user on a space or collection; the nearest level that says something wins. Organization admins are admin
 * everywhere and nothing reduces it; who does not belong to the organization has no role, whatever grants remain.
 */
export function effectiveRole(actor: Actor, organization: string, levels: Level[]): Role | null {
  const membership = membershipIn(actor, organization)
  if (!membership) return null
  if (membership.role === 'admin') return 'admin'
  for (const level of levels) {
    const granted = grantOn(level, actor.userId, membership.teams)
    if (granted) return granted
    if (level.defaultLevel === null) return null
    if (level.defaultLevel !== 'inherit') return membership.role === null ? null : level.defaultLevel
  }
  return membership.role
}

function grantOn(level: Level, userId: string, teams: string[]): Role | undefined {
  if (Object.hasOwn(level.users, userId)) return level.users[userId]
  const granted = teams.flatMap(team => (Object.hasOwn(level.teams, team) ? [level.teams[team] as Role] : []))
  return granted.sort((a, b) => roles.indexOf(b) - roles.indexOf(a))[0]
}

/** How an actor sees an object that was read with what they were granted. */
export function viewOf(actor: Actor, { organizationId, above, ...own }: Placed): View {
  const upper = (above ?? []).map(granted => levelOf(granted, actor.userId))
  return {
    role: effectiveRole(actor, organizationId, [levelOf(own, actor.userId), ...upper]),
    parentRole: above && effectiveRole(actor, organizationId, upper),
    isOrganizationAdmin: canAdministerOrganization(actor, organizationId),
  }
}

/** How an actor sees an object whose roles were found by a list. */
export function viewOfListed(
  actor: Actor,
  { organizationId, role, parentRole }: { organizationId: string; role: Role; parentRole: Role | null },
): View {
  return { role, parentRole, isOrganizationAdmin: canAdministerOrganization(actor, organizationId) }
}

/** The level of an object, as far as it concerns one user. */
function levelOf({ defaultLevel, userGrant, teamGrants }: Granted, userId: string): Level {
  return { defaultLevel, users: userGrant ? { [userId]: userGrant } : {}, teams: teamGrants ?? {} }
}

export const canView = (role: Role | null): boolean => atLeast(role, 'read')
/** Create, change, lock and order spaces and collections, and say who may do what with them. */
export const canManage = (role: Role | null): boolean => atLeast(role, 'create')
export const canAdminister = (role: Role | null): boolean => atLeast(role, 'admin')
/** Nobody grants a role above their own. */
export const canGrant = (role: Role | null, level: Role | null): boolean =>
  canManage(role) && (level === null || atLeast(role, level))

/** The actor's membership of an organization; guests have one too. */
export function requireMember(actor: Actor, organization: string): Membership {
  const membership = membershipIn(actor, organization)
  if (!membership) throw new Failure('not_found', 'There is no such organization')
  return membership
}

/** Who looks at a list or at counts, in the organization that they are of. */
export type Viewer = Membership & { userId: string }

export function viewerIn(actor: Actor, organization: string): Viewer {
  return { ...requireMember(actor, organization), userId: actor.userId }
}

/** A member as the rule asks about them. */
export function memberOf(userId: string, membership: Membership): Actor {
  return { userId, platformAdmin: false, scopes: [], memberships: [membership] }
}

/** Invites, also to content, are for admins. */
export function canAdministerOrganization(actor: Actor, organization: string): boolean {
  return canAdminister(membershipIn(actor, organization)?.role ?? null)
}

/** Refuses what takes the right to manage. */
export function requireManage(role: Role | null): asserts role is Role {
  if (!canManage(role)) throw notAllowed(role)
}

/** Refuses to grant a level to who may not give it. */
export function requireGrant(role: Role | null, level: Role | null): void {
  requireManage(role)
  if (!canGrant(role, level)) throw new Failure('forbidden', `The role ${role} cannot grant ${level}`)
}

type Opened = Pick<Granted, 'defaultLevel'> & { above: Granted[] | null }

/** What a default level stands for: `inherit` is the first above that says something else, if any. */
export function meant({ defaultLevel, above }: Opened): DefaultLevel {
  const said = [defaultLevel, ...(above ?? []).map(level => level.defaultLevel)].find(given => given !== 'inherit')
  return said === undefined ? 'inherit' : said
}

/** The role that a change gives to everybody, if it gives one that they did not have. */
function givenToAll(before: Opened, after: Opened): Role | undefined {
  const given = meant(after)
  return given === null || given === 'inherit' || given === meant(before) ? undefined : given
}

/** The default level that somebody may give to what they put somewhere anew: at most their own role. */
export function openedBy(role: Role, level: DefaultLevel): DefaultLevel {
  return level === null || level === 'inherit' || atLeast(role, level) ? level : role
}

/** Refuses settings to who may not change them, and to give everybody a role above one's own, be it by `inherit`. */
export function requireSettings(
  role: Role | null,
  { defaultLevel, above }: Opened,
  next: DefaultLevel | undefined,
): void {
  requireManage(role)
  if (next === undefined || next === defaultLevel) return
  // By name it stays when what is inherited changes.
  const given = next === 'inherit' ? givenToAll({ defaultLevel, above }, { defaultLevel: next, above }) : next
  if (given) requireGrant(role, given)
}

/**
 * Refuses a move by which who makes it would have more than before, as the admin of whatever they put into a collection of theirs,
 * or by which everybody would have more, and more than they have: it would be granting. Of a space of their own, which closing
 * would give them, they may become the admin.
 */
export function requireNoRise(
  actor: Actor,
  { before, after, isTheirs = false }: { before: Placed; after: Placed; isTheirs?: boolean },
): void {
  const [had, has] = [viewOf(actor, before).role, viewOf(actor, after).role]
  if (has !== null && !isTheirs && !atLeast(had, has))
    throw new Failure('forbidden', `With the role ${had} nothing can be moved to where you have the role ${has}`)
  const given = givenToAll(before, after)
  if (given && !atLeast(had, given))
    throw new Failure('forbidden', `With the role ${had} nothing can be moved to where everybody has the role ${given}`)
}

/** What who sees an object hears when their role on it is too low. */
export function notAllowed(role: Role | null): Failure {
  return new Failure('forbidden', role === null ? 'Guests may not do this' : `The role ${role} does not allow this`)
}

/** What they hear where the role in the collection that it is in counts, of which they may know nothing. */
export function notAllowedAround(): Failure {
  return new Failure('forbidden', 'This takes the role create in the collection that it is in')
}
