import { roleExpression } from '../access/roles.sql.ts'

/** A join for statements with `collectionRolesCte`: `effective_grant` is the grant that counts on a row of `resources`. */
export const grantOnResource = `left join effective_grant on effective_grant.resource_type = resources.type and effective_grant.resource_id = resources.id`

/** The role of the caller `callerParameters` on a row of `resources`, from the role above it; needs `grantOnResource`. */
export function roleOnResource(above: string): string {
  return roleExpression({
    grantedRole: 'effective_grant.role',
    defaultLevel: 'resources.default_level',
    above,
    role: '$4',
  })
}
