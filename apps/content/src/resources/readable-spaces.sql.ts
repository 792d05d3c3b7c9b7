import { callerParameters, roleExpression } from '../access/roles.sql.ts'
import { collectionRolesCte, coveredSpace, shownRole } from './collection-roles.sql.ts'

/**
 * Common table expressions for a `with recursive` query whose first parameters are `callerValues`. `readable_space` lists the spaces of
 * the organization that are not deleted and that the caller can read (`id`, `title`, `revision`, `role`, `parent_role`).
 */
export function readableSpacesCte(): string {
  const role = roleExpression({
    grantedRole: 'effective_grant.role',
    defaultLevel: 'spaces.default_level',
    above: 'case when spaces.parent is null then $4::text else collection_role.role end',
    role: '$4',
  })
  return `${collectionRolesCte(callerParameters)}, readable_space as (
    select * from (
      select spaces.id, spaces.title, spaces.revision, ${role} as role, ${shownRole('collection_role')} as parent_role
      from spaces left join effective_grant on effective_grant.resource_type = 'space' and effective_grant.resource_id = spaces.id
      left join collection_role on collection_role.id = spaces.parent
      where spaces.organization_id = $1 and spaces.deleted_at is null and ${coveredSpace('spaces')}
    ) as shown where role is not null
  )`
}
