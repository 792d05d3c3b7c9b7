import { membershipIn, type Actor } from '@recto/actor'
import type { Db } from '@recto/database'
import type { OrganizationRow } from '../organizations/organization.entity.ts'
import { presentOrganization } from '../organizations/present-organization.ts'
import { findOrganizationsWithOwnedTeam } from './team-members.repository.ts'

/** Organizations as an actor sees them; one more query, for those in which the actor owns a team. */
export async function describeOrganizations(
  db: Db,
  { actor, publicUrl }: { actor: Actor; publicUrl: string },
  rows: OrganizationRow[],
) {
  const ids = rows.map(({ id }) => id)
  const withOwnedTeam = await findOrganizationsWithOwnedTeam(db, actor.userId, ids)
  return rows.map(row => {
    const membership = actor.ssoRequired?.includes(row.id) ? undefined : membershipIn(actor, row.id)
    return presentOrganization(row, { membership, ownsTeam: withOwnedTeam.has(row.id), publicUrl })
  })
}
