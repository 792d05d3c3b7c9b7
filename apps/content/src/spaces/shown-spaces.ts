import type { Actor, Role } from '@recto/actor'
import type { Db } from '@recto/database'
import { viewerIn } from '../access/access.policy.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'

/** The spaces among these that an actor can read, with their role; visitors read those of their site. */
export async function shownSpaces(
  db: Db,
  { actor, organization, ids }: { actor: Actor; organization: string; ids: readonly string[] },
): Promise<(SpaceRow & { role: Role })[]> {
  const { visitor } = actor
  if (!visitor) return spaces.findReadable(db, viewerIn(actor, organization), [...ids])
  const visibleIds = visitor.organization === organization ? ids.filter(id => visitor.spaces.includes(id)) : []
  const rows = await spaces.findUndeleted(db, organization, visibleIds)
  return rows.map(space => ({ ...space, role: 'read' }))
}
