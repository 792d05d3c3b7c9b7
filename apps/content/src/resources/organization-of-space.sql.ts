/** A subquery for the organization of the space that a column names. */
export function organizationOfSpace(column: string): string {
  return `(select spaces.organization_id from spaces where spaces.id = ${column})`
}
