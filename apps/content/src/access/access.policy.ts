import {
  atLeast,
  effectiveRole,
  requireMember,
  roleBeyondResources,
  roleForbids,
  type AclEntry,
  type Actor,
  type DefaultLevel,
  type Membership,
  type Role,
} from '@recto/actor'
import { Failure, limitForbids } from '@recto/operation'

export { effectiveRole, type AclEntry, type DefaultLevel }

/** The default level of one resource and the grants of one caller and their teams on it. */
export interface AclGrants {
  id: string
  defaultLevel: DefaultLevel
  userGrant: Role | null
  teamGrants: Record<string, Role> | null
}

/** A resource with everything that decides a caller's role on it; `above` are the collections it is in, the nearest first. */
export interface ResourceWithAcl extends AclGrants {
  organizationId: string
  above: AclGrants[] | null
}

/** A caller's access to a resource. */
export interface EffectiveAccess {
  role: Role | null
  /** The caller's role on the parent collection; null without a parent, and for a parent that the caller may not read, which stays hidden. */
  parentRole: Role | null
  isOrganizationAdmin: boolean
}

/** Resolves an actor's access to a resource that was read with their grants. */
export function resolveAccess(actor: Actor, resource: ResourceWithAcl): EffectiveAccess {
  const { organizationId, above } = resource
  const upper = (above ?? []).map(grants => aclEntryOf(grants, actor.userId))
  return {
    role: effectiveRole(actor, organizationId, [aclEntryOf(resource, actor.userId), ...upper]),
    parentRole: above && effectiveRole(actor, organizationId, upper),
    isOrganizationAdmin: canAdministerOrganization(actor, organizationId),
  }
}

/** Makes an actor's access to a resource from the roles that the SQL of a list has computed. */
export function accessFromList(
  actor: Actor,
  { organizationId, role, parentRole }: { organizationId: string; role: Role; parentRole: Role | null },
): EffectiveAccess {
  return { role, parentRole, isOrganizationAdmin: canAdministerOrganization(actor, organizationId) }
}

/** The ACL entry of a resource, reduced to one user and their teams. */
function aclEntryOf({ id, defaultLevel, userGrant, teamGrants }: AclGrants, userId: string): AclEntry {
  return { id, defaultLevel, users: userGrant ? { [userId]: userGrant } : {}, teams: teamGrants ?? {} }
}

export const canView = (role: Role | null): boolean => atLeast(role, 'read')
/** Whether a role may create, change, lock and order spaces and collections, and manage permissions on them. */
export const canManage = (role: Role | null): boolean => atLeast(role, 'create')
export const canAdminister = (role: Role | null): boolean => atLeast(role, 'admin')
/** Whether a role may grant a level: nobody grants a role above their own. */
export const canGrant = (role: Role | null, level: Role | null): boolean =>
  canManage(role) && (level === null || atLeast(role, level))

/** The caller of a list or a count, with their membership in its organization. */
export type Viewer = Membership & { userId: string } & Pick<Actor, 'limitedTo'>

/** Makes the viewer of a list in an organization; throws `not_found` when the actor is not in it. */
export function viewerIn(actor: Actor, organization: string): Viewer {
  return viewerOf(actor, requireMember(actor, organization))
}

/** Makes the viewer of a list from their membership. */
export function viewerOf({ userId, limitedTo }: Actor, membership: Membership): Viewer {
  return { ...membership, userId, limitedTo }
}

/** Whether an actor is an admin of an organization; a token that is limited to resources has no part in the rest of it. */
export function canAdministerOrganization(actor: Actor, organization: string): boolean {
  return canAdminister(roleBeyondResources(actor, organization))
}

/** Throws `forbidden` unless the role may manage (create or above). */
export function requireManage(role: Role | null): asserts role is Role {
  if (!canManage(role)) throw roleForbids(role)
}

/** Throws `forbidden` unless the role may manage and is not below the level to grant. */
export function requireCanGrant(role: Role | null, level: Role | null): void {
  requireManage(role)
  if (!canGrant(role, level)) throw new Failure('forbidden', `The role ${role} cannot grant ${level}`)
}

type WithDefaultLevel = Pick<AclGrants, 'defaultLevel'> & { above: Pick<AclGrants, 'defaultLevel'>[] | null }

/** Resolves the default level that applies to a resource: `inherit` stands for the nearest other level above, if there is one. */
export function resolveDefaultLevel({ defaultLevel, above }: WithDefaultLevel): DefaultLevel {
  const levels = [defaultLevel, ...(above ?? []).map(entry => entry.defaultLevel)]
  const nearest = levels.find(level => level !== 'inherit')
  return nearest === undefined ? 'inherit' : nearest
}

/** The role that every member gains by a change of the default level or of the parent; undefined when they gain none. */
function roleGainedByAll(before: WithDefaultLevel, after: WithDefaultLevel): Role | undefined {
  const level = resolveDefaultLevel(after)
  return level === null || level === 'inherit' || level === resolveDefaultLevel(before) ? undefined : level
}

/** Caps the default level of something copied, restored or transferred to the role of the caller. */
export function capDefaultLevel(role: Role, level: DefaultLevel): DefaultLevel {
  return level === null || level === 'inherit' || atLeast(role, level) ? level : role
}

/** Throws `forbidden` for a role below `create`, or when the next default level gives members a role above it, directly or through `inherit`. */
export function requireCanSetDefaultLevel(
  role: Role | null,
  { defaultLevel, above }: WithDefaultLevel,
  next: DefaultLevel | undefined,
): void {
  requireManage(role)
  if (next === undefined || next === defaultLevel) return
  // An explicit role is checked even when it equals the inherited one: it does not follow later changes of the parent.
  const gained = next === 'inherit' ? roleGainedByAll({ defaultLevel, above }, { defaultLevel: next, above }) : next
  if (gained) requireCanGrant(role, gained)
}

/**
 * Throws `forbidden` when a move raises the role of the actor: they could otherwise gain admin of a resource by moving it into a
 * collection where they are admin. Throws also when it gives every member a role above the actor's, since that would be a grant.
 * `isCreator` exempts the creator of a space, who would become its admin by closing it.
 */
export function requireNoEscalation(
  actor: Actor,
  { before, after, isCreator = false }: { before: ResourceWithAcl; after: ResourceWithAcl; isCreator?: boolean },
): void {
  const had = resolveAccess(actor, before).role
  const has = resolveAccess(actor, after).role
  if (has !== null && !isCreator && !atLeast(had, has))
    throw new Failure('forbidden', `With the role ${had} nothing can be moved to where you have the role ${has}`)
  const gained = roleGainedByAll(before, after)
  if (gained && !atLeast(had, gained))
    throw new Failure(
      'forbidden',
      `With the role ${had} nothing can be moved to where everybody has the role ${gained}`,
    )
}

/** The failure for what a caller may not do around the resources that they name: their role forbids it, unless their token is limited. */
export function forbiddenAround({ limitedTo }: Pick<Actor, 'limitedTo'>, byRole: Failure): Failure {
  return limitedTo ? limitForbids() : byRole
}

/** Throws `forbidden` for a role below `create` on the parent; it does not name the collection, which the caller may not be able to read. */
export function requireManageParent(actor: Actor, parentRole: Role | null): void {
  if (canManage(parentRole)) return
  const byRole = new Failure('forbidden', 'This needs the role create in the collection that it is in')
  throw parentRole === null ? forbiddenAround(actor, byRole) : byRole
}
