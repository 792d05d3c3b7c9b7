import { atLeast, Failure, membershipIn, roles, type Actor, type Membership, type Role } from '@recto/operation'

/** What is set on one object of the way from a space or collection up through its parents. */
export interface Level {
  defaultLevel: Role | 'inherit' | null
  users: Record<string, Role>
  teams: Record<string, Role>
}

/** What a caller was granted on one object, besides what everybody has by its default level. */
export interface Granted {
  defaultLevel: string | null
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
export function viewOfListed(actor: Actor, { organizationId, role, parentRole }: { organizationId: string; role: Role; parentRole: Role | null }): View {
  return { role, parentRole, isOrganizationAdmin: canAdministerOrganization(actor, organizationId) }
}

/** The level of an object, as far as it concerns one user. */
function levelOf({ defaultLevel, userGrant, teamGrants }: Granted, userId: string): Level {
  return { defaultLevel: defaultLevel as Level['defaultLevel'], users: userGrant ? { [userId]: userGrant } : {}, teams: teamGrants ?? {} }
}

export const canView = (role: Role | null): boolean => atLeast(role, 'read')
/** Create, change, lock and order spaces and collections, and say who may do what with them. */
export const canManage = (role: Role | null): boolean => atLeast(role, 'create')
export const canAdminister = (role: Role | null): boolean => atLeast(role, 'admin')
/** Nobody grants a role above their own. */
export const canGrant = (role: Role | null, level: Role | null): boolean => canManage(role) && (level === null || atLeast(role, level))

/** The actor's membership of an organization; guests have one too. */
export function requireMember(actor: Actor, organization: string): Membership {
  const membership = membershipIn(actor, organization)
  if (!membership) throw new Failure('not_found', 'There is no such organization')
  return membership
}

/** Invites, also to content, are for admins. */
export function canAdministerOrganization(actor: Actor, organization: string): boolean {
  return canAdminister(membershipIn(actor, organization)?.role ?? null)
}

/** Refuses to grant a level to who may not give it. */
export function requireGrant(role: Role | null, level: Role | null): void {
  if (!canManage(role)) throw notAllowed(role)
  if (!canGrant(role, level)) throw new Failure('forbidden', `The role ${role} cannot grant ${level}`)
}

/** What a default level stands for: `inherit` is the first above that says something else, if any. */
export function meant(level: string | null, above: Granted[] | null): string | null {
  const said = [level, ...(above ?? []).map(({ defaultLevel }) => defaultLevel)].find(given => given !== 'inherit')
  return said === undefined ? 'inherit' : said
}

/** Refuses settings to who may not change them, and to give everybody a role above one's own, be it by `inherit`. */
export function requireSettings(role: Role | null, { defaultLevel, above }: Pick<Placed, 'defaultLevel' | 'above'>, next: string | null | undefined): void {
  if (!canManage(role)) throw notAllowed(role)
  const given = next === undefined ? null : meant(next, above)
  if (given === null || given === 'inherit' || given === meant(defaultLevel, above)) return
  requireGrant(role, given as Role)
}

/** Refuses to put something where everybody has more on it than before, and more than who puts it there: it would be granting. */
export function requireNoMoreForAll(role: Role | null, before: Pick<Placed, 'defaultLevel' | 'above'>, after: Pick<Placed, 'defaultLevel' | 'above'>): void {
  const [had, given] = [meant(before.defaultLevel, before.above), meant(after.defaultLevel, after.above)]
  if (given === null || given === 'inherit' || given === had || atLeast(role, given as Role)) return
  throw new Failure('forbidden', `With the role ${role} nothing can be put where everybody has the role ${given}`)
}

/** The levels of an object and of what it is in without what these users and teams were granted on the object itself. */
export function without([own, ...above]: Level[], subjects: { subject: 'user' | 'team'; subjectId: string }[]): Level[] {
  if (!own) return []
  const left = (granted: Record<string, Role>, kind: 'user' | 'team') =>
    Object.fromEntries(Object.entries(granted).filter(([id]) => !subjects.some(({ subject, subjectId }) => subject === kind && subjectId === id)))
  return [{ ...own, users: left(own.users, 'user'), teams: left(own.teams, 'team') }, ...above]
}

/** The highest role that anything says on the way up, whoever has it. */
export function highestOf(levels: Level[]): Role | null {
  const said = levels.flatMap(({ defaultLevel, users, teams }) => [defaultLevel, ...Object.values(users), ...Object.values(teams)])
  return roles.findLast(role => said.includes(role)) ?? null
}

/** The same where the role in the collection that it is in counts, of which the caller may know nothing. */
export function notAllowedAround(): Failure {
  return new Failure('forbidden', 'This takes the role create in the collection that it is in')
}

/** What who sees an object hears when their role on it is too low. */
export function notAllowed(role: Role | null): Failure {
  return new Failure('forbidden', role === null ? 'Guests may not do this' : `The role ${role} does not allow this`)
}
