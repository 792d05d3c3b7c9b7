import { effectiveGrantCte } from '../access/grants.sql.ts'
import { callerParameters, type CallerSql, coveredExpression, roleExpression } from '../access/roles.sql.ts'

/**
 * The policy in SQL, for lists: expressions of `with recursive`. `effective_grant` has the grant that counts for the caller on each resource
 * (`resource_type`, `resource_id`, `role`), `collection_role` the caller's role on each collection of the organization (`id`, `role`), null
 * for no access, and whether the token covers it (`covered`): only then the caller sees it. `suffix` names the expressions of a second caller in one statement.
 */
export function collectionRolesCte(caller: CallerSql, suffix = ''): string {
  const { organization, role } = caller
  const roleBelow = (above: string) =>
    roleExpression({ grantedRole: 'effective_grant.role', defaultLevel: 'c.default_level', above, role })
  const coveredBelow = (above: string) => coveredExpression(caller, { id: 'c.id', above })
  const grantOnCollection = `left join effective_grant${suffix} effective_grant on effective_grant.resource_type = 'collection' and effective_grant.resource_id = c.id`
  return `${effectiveGrantCte(caller, suffix)}, collection_role${suffix} as (
    select c.id, ${roleBelow(`${role}::text`)} as role, ${coveredBelow('false')} as covered
    from collections c ${grantOnCollection}
    where c.organization_id = ${organization} and c.parent is null
    union all
    select c.id, ${roleBelow('up.role')}, ${coveredBelow('up.covered')}
    from collection_role${suffix} up join collections c on c.organization_id = ${organization} and c.parent = up.id
    ${grantOnCollection}
  )`
}

/** The condition that the token of the caller covers a space; needs `collection_role` of its collection. */
export function coveredSpace(space: string, collectionRole = 'collection_role'): string {
  return coveredExpression(callerParameters, { id: `${space}.id`, above: `${collectionRole}.covered` })
}

/** The role of the caller on the collection around something, which is hidden when the token does not cover it. */
export function shownRole(collectionRole: string): string {
  return `case when ${collectionRole}.covered then ${collectionRole}.role end`
}
