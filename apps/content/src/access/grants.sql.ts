import { type Role, roles } from '@recto/actor'
import type { AclGrants } from './access.policy.ts'
import type { ResourceType, Subject } from './grant.entity.ts'
import type { CallerSql } from './roles.sql.ts'

/** SQL expressions for the type and the id of a resource. */
interface ResourceSql {
  type: string
  id: string
}

/** Grants as tuples of the kind of the subject, its id and the role. */
export type GrantTuples = ['user' | 'team', string, Role][] | null

/** A subquery for the grants of the user `$2` and the teams `$3` on a resource, as `GrantTuples`. */
export function grantsToActor(type: ResourceType, id: string): string {
  // With `= any`, Postgres would consider the number of teams and plan the statement for each request.
  return `(select json_agg(json_build_array(subject, subject_id, role)) from grants where resource_type = '${type}' and resource_id = ${id}
    and (subject = 'user' and subject_id = $2 or subject = 'team' and array_position($3::text[], subject_id) is not null))`
}

/** Parses the grants that `grantsToActor` selects. */
export function parseGrants(tuples: GrantTuples): Pick<AclGrants, 'userGrant' | 'teamGrants'> {
  if (!tuples) return { userGrant: null, teamGrants: null }
  const teams = tuples.filter(([subject]) => subject === 'team').map(([, team, role]) => [team, role] as const)
  return {
    userGrant: tuples.find(([subject]) => subject === 'user')?.[2] ?? null,
    teamGrants: Object.fromEntries(teams),
  }
}

/** A subquery for the roles of all users, or of all teams, with a grant on a resource, as JSON by id. */
export function rolesBySubject(subject: Subject['subject'], { type, id }: ResourceSql): string {
  return `coalesce((select json_object_agg(subject_id, role) from grants
    where grants.resource_type = ${type} and grants.resource_id = ${id} and grants.subject = '${subject}'), '{}')`
}

/**
 * The expression `effective_grant` for `with`: the grant that counts for the caller on each resource (`resource_type`, `resource_id`,
 * `role`). `suffix` names the expression of a second caller in the same statement.
 */
export function effectiveGrantCte({ organization, user, teams }: CallerSql, suffix = ''): string {
  return `effective_grant${suffix} as (
    select distinct on (resource_type, resource_id) resource_type, resource_id, role from grants
    where organization_id = ${organization} and (subject = 'user' and subject_id = ${user} or subject = 'team' and subject_id = any(${teams}::text[]))
    order by resource_type, resource_id, subject = 'user' desc, array_position('{${roles.join(',')}}', role) desc
  )`
}

/**
 * The expression `granted_resource` for `with`: the resources on which the rows of `subject (key, kind, id)` have a grant in an
 * organization (`key`, `resource_type`, `resource_id`).
 */
export function grantedResourcesCte(organization: string): string {
  return `granted_resource as (
    select subject.key, grants.resource_type, grants.resource_id from subject
    join grants on grants.subject = subject.kind and grants.subject_id = subject.id and grants.organization_id = ${organization}
  )`
}
