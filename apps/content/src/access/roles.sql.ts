import { roles } from '@recto/actor'
import type { Viewer } from './access.policy.ts'

/** SQL expressions for a caller: parameters of a statement, or columns. */
export interface CallerSql {
  organization: string
  user: string
  teams: string
  /** The role in the organization; null for guests. */
  role: string
}

/** A caller as the first four parameters of a statement. */
export const callerParameters: CallerSql = { organization: '$1', user: '$2', teams: '$3', role: '$4' }

/** The values of `callerParameters`. */
export function callerValues({
  organization,
  userId,
  teams,
  role,
}: Viewer): [organization: string, user: string, teams: string[], role: string | null] {
  return [organization, userId, teams, role]
}

/**
 * The policy in SQL, for lists: expressions of `with recursive`. `effective_grant` has the grant that counts for the caller on each resource
 * (`resource_type`, `resource_id`, `role`), `collection_role` the caller's role on each collection of the organization (`id`, `role`), null
 * for no access. The table of collections is the caller's; `suffix` names the expressions of a second caller in one statement.
 */
export function effectiveRolesCte(
  { organization, user, teams, role }: CallerSql,
  { collections, suffix = '' }: { collections: string; suffix?: string },
): string {
  const onCollection = `left join effective_grant${suffix} effective_grant on effective_grant.resource_type = 'collection' and effective_grant.resource_id = c.id`
  return `effective_grant${suffix} as (
    select distinct on (resource_type, resource_id) resource_type, resource_id, role from grants
    where organization_id = ${organization} and (subject = 'user' and subject_id = ${user} or subject = 'team' and subject_id = any(${teams}::text[]))
    order by resource_type, resource_id, subject = 'user' desc, array_position('{${roles.join(',')}}', role) desc
  ), collection_role${suffix} as (
    select c.id, ${roleExpression({ grantedRole: 'effective_grant.role', defaultLevel: 'c.default_level', above: `${role}::text`, role })} as role
    from ${collections} c ${onCollection}
    where c.organization_id = ${organization} and c.parent is null
    union all
    select c.id, ${roleExpression({ grantedRole: 'effective_grant.role', defaultLevel: 'c.default_level', above: 'up.role', role })}
    from collection_role${suffix} up join ${collections} c on c.organization_id = ${organization} and c.parent = up.id
    ${onCollection}
  )`
}

/** One step of the policy: the role on a resource from the grant on it, its default level, and the role above it. */
export function roleExpression({
  grantedRole,
  defaultLevel,
  above,
  role,
}: {
  grantedRole: string
  defaultLevel: string
  above: string
  role: string
}): string {
  return `case when ${role}::text = 'admin' then 'admin' when ${grantedRole} is not null then ${grantedRole} when ${defaultLevel} = 'inherit' then ${above}
    when ${role}::text is not null then ${defaultLevel} end`
}

/**
 * An expression of `with`: `granted_resource` has the resources on which the rows of `subject (key, kind, id)` have a grant in an
 * organization (`key`, `resource_type`, `resource_id`).
 */
export function grantedResourcesCte(organization: string): string {
  return `granted_resource as (
    select subject.key, grants.resource_type, grants.resource_id from subject
    join grants on grants.subject = subject.kind and grants.subject_id = subject.id and grants.organization_id = ${organization}
  )`
}
