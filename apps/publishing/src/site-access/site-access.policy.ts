import {
  atLeast,
  decideRole,
  exceedsRole,
  memberActor,
  roleForbids,
  type AclEntry,
  type Actor,
  type DecidedRole,
  type DefaultLevel,
  type Membership,
  type Role,
} from '@recto/actor'
import type { siteRights } from '@recto/contracts-shared'
import { Failure } from '@recto/operation'

/** The organization of a site and the role there of members without a grant. */
export interface SiteWithLevel {
  id: string
  organizationId: string
  defaultLevel: DefaultLevel
}

/** The grants on a site, by user and by team. */
export type SiteGrants = Pick<AclEntry, 'users' | 'teams'>

export const noGrants: SiteGrants = { users: {}, teams: {} }

/**
 * The role of an actor on a site, and what decides it. A site is a resource without anything above it:
 *
 * | in the organization | grant to the user | grants to teams | default level | role on the site  |
 * | ------------------- | ----------------- | --------------- | ------------- | ----------------- |
 * | admin               | any               | any             | any           | admin             |
 * | nothing             | any               | any             | any           | none              |
 * | member or guest     | a role            | any             | any           | that role         |
 * | member or guest     | none              | some            | any           | the highest       |
 * | member or guest     | none              | none            | null          | none              |
 * | member              | none              | none            | a role        | that role         |
 * | member              | none              | none            | inherit       | the organization's |
 * | guest               | none              | none            | any           | none              |
 */
export function decideSiteRole(actor: Actor, site: SiteWithLevel, grants: SiteGrants): DecidedRole {
  return decideRole(actor, site.organizationId, [{ id: site.id, defaultLevel: site.defaultLevel, ...grants }])
}

/** The level that each boolean of a site's `permissions` requires; the operations that `rights` of the contract names for them require the same. */
const siteCan = {
  view: role => atLeast(role, 'read'),
  access: role => atLeast(role, 'read'),
  edit: role => atLeast(role, 'edit'),
  create: role => atLeast(role, 'create'),
  admin: role => atLeast(role, 'create'),
  installIntegration: () => false,
  viewAdaptiveSchema: role => atLeast(role, 'read'),
  editAdaptiveSchema: role => atLeast(role, 'create'),
} as const satisfies Record<keyof typeof siteRights, (role: Role | null) => boolean>

/** The `permissions` of a site in replies. */
export function sitePermissionsOf(role: Role | null) {
  return {
    view: siteCan.view(role),
    access: siteCan.access(role),
    edit: siteCan.edit(role),
    create: siteCan.create(role),
    admin: siteCan.admin(role),
    installIntegration: siteCan.installIntegration(),
    viewAdaptiveSchema: siteCan.viewAdaptiveSchema(role),
    editAdaptiveSchema: siteCan.editAdaptiveSchema(role),
  }
}

/** The `permissions` of a visitor on the site that they read. */
export const visitorPermissions = { ...sitePermissionsOf(null), view: true }

/** Throws `forbidden` for a role that may not manage permissions, or that is below the level to grant. */
export function requireCanGrant(role: Role | null, level: DefaultLevel): asserts role is Role {
  if (!siteCan.admin(role)) throw roleForbids(role)
  if (level !== null && level !== 'inherit' && !atLeast(role, level))
    throw new Failure('forbidden', `The role ${role} cannot grant ${level}`)
}

/** Throws `forbidden` when a caller with this role grants a role above it, or changes or revokes a grant above it. */
export function requireGrantChange(role: Role | null, { held, next }: { held: Role[]; next: Role | null }): void {
  requireCanGrant(role, next)
  const above = held.find(before => !atLeast(role, before))
  if (above)
    throw new Failure(
      'forbidden',
      `The role ${role} cannot change or revoke the role ${above}, which somebody named here has`,
    )
}

/** A member of the organization of a site. */
export type SiteMember = Omit<Membership, 'organization'> & { user: string }

/** Throws `forbidden` when a change of grants raises a member above a role, or lowers one from above it. */
export function requireNoEscalation(
  own: Role,
  site: SiteWithLevel,
  { before, after, members }: { before: SiteGrants; after: SiteGrants; members: readonly SiteMember[] },
): void {
  const { organizationId: organization } = site
  for (const { user, role, teams } of members) {
    const actor = memberActor(user, { organization, role, teams })
    const roleWith = (grants: SiteGrants) => decideSiteRole(actor, site, grants).role
    const change = { before: roleWith(before), after: roleWith(after) }
    if (exceedsRole(own, change, false))
      throw new Failure(
        'forbidden',
        `It would change the role of somebody from ${change.before ?? 'none'} to ${change.after ?? 'none'}, and yours is ${own}`,
      )
  }
}
