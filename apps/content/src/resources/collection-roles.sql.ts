import { type CallerSql, effectiveRolesCte } from '../access/roles.sql.ts'

/** `effectiveRolesCte` over the table of collections. */
export function collectionRolesCte(caller: CallerSql, suffix = ''): string {
  return effectiveRolesCte(caller, { collections: 'collections', suffix })
}
