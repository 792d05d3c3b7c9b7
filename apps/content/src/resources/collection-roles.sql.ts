import { type CallerSql, effectiveRolesCte } from '../access/roles.sql.ts'

/** `effectiveRolesCte` over the collections of the hierarchy. */
export function collectionRolesCte(caller: CallerSql, suffix = ''): string {
  return effectiveRolesCte(caller, { collections: 'collections', suffix })
}
