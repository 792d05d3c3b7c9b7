import { membershipIn, type Actor } from '@recto/actor'
import type { Db } from '@recto/database'
import type { OrganizationRow } from '../organizations/organization.entity.ts'
import { presentOrganization, type Viewer } from '../organizations/present-organization.ts'
import { findOrganizationsWithOwnedTeam } from '../teams/team-members.repository.ts'

/** For whom organizations are described. */
interface Audience extends Pick<Viewer, 'publicUrl' | 'domain' | 'forService'> {
  actor: Actor
}

/**
 * Organizations as an actor sees them; one more query, for those in which the actor owns a team. A token that is limited to resources has no
 * part in the organization around them, and learns what it is called.
 */
export async function describeOrganizations(
  db: Db,
  { actor, publicUrl, domain, forService }: Audience,
  rows: OrganizationRow[],
) {
  const ids = rows.map(({ id }) => id)
  const withOwnedTeam = await findOrganizationsWithOwnedTeam(db, actor.userId, ids)
  return rows.map(row => {
    const isOutside = actor.limitedTo !== undefined || actor.ssoRequired?.includes(row.id) === true
    const membership = isOutside ? undefined : membershipIn(actor, row.id)
    return presentOrganization(row, { membership, ownsTeam: withOwnedTeam.has(row.id), publicUrl, domain, forService })
  })
}
