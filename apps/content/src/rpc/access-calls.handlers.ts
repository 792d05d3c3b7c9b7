import { accessCalls } from '@recto/contracts'
import type { Db } from '@recto/database'
import { atLeast, type Actor, type Role } from '@recto/actor'
import { feature } from '@recto/operation'
import { memberOf, requireGrant, viewOf, type Placed } from '../access/access.policy.ts'
import { requireCollection, requireCollectionIn } from '../hierarchy/collections/collections.policy.ts'
import * as collections from '../hierarchy/collections/collections.repository.ts'
import { presentCollection } from '../hierarchy/collections/present-collection.ts'
import type { BaseContext } from '../shared/context.ts'
import { presentSpace } from '../hierarchy/spaces/present-space.ts'
import { requireIn, requireView } from '../hierarchy/spaces/spaces.policy.ts'
import * as spaces from '../hierarchy/spaces/spaces.repository.ts'
import { countGranted, countSeen } from '../hierarchy/visibility/counts.repository.ts'
import * as grants from '../access/grants.repository.ts'
import { userGrant } from '../access/grants.rules.ts'

export const accessCallFeature = feature<BaseContext>()(accessCalls, {
  async countSpaces(
    {
      body: {
        organization,
        viewer: { user, ...standing },
        members,
        teams,
      },
    },
    { db },
  ) {
    const viewer = { organization, userId: user, ...standing }
    const [seen, granted] = await Promise.all([countSeen(db, viewer, members), countGranted(db, viewer, teams)])
    return { members: seen, teams: granted }
  },

  async findInvitedSpace({ body: { actor, organization, space: id, level } }, { db, publicUrl }) {
    const { space, role, view } = requireView(actor, await spaces.findFor(db, id, actor))
    requireIn(organization, space)
    requireGrant(role, level)
    return { space: presentSpace(space, view, publicUrl), role }
  },

  async findInvitedCollection({ body: { actor, organization, collection: id, level } }, { db, publicUrl }) {
    const { collection, role, view } = requireCollection(actor, await collections.findFor(db, id, actor))
    requireCollectionIn(organization, collection)
    requireGrant(role, level)
    return { collection: presentCollection(collection, view, publicUrl), role }
  },

  async grantCollection({ body: { organization, collection: id, ...granted } }, { db }) {
    await db.transaction(async transaction => {
      const { id: objectId } = requireCollectionIn(organization, await collections.lock(transaction, id))
      const actor = joining(organization, granted)
      if (!actor || !hasAlready(actor, await collections.findFor(transaction, id, actor), granted.level))
        await give(transaction, { object: 'collection', objectId, organization, ...granted })
    })
    return {}
  },

  async grantSpace({ body: { organization, space: id, ...granted } }, { db }) {
    await db.transaction(async transaction => {
      const { id: objectId } = requireIn(organization, await spaces.lock(transaction, id))
      const actor = joining(organization, granted)
      if (!actor || !hasAlready(actor, await spaces.findFor(transaction, id, actor), granted.level))
        await give(transaction, { object: 'space', objectId, organization, ...granted })
    })
    return {}
  },
})

interface Granting {
  user: string
  level: Role
  standing: { role: Role | null; teams: string[] } | null
}

/** Who is to be granted something, when they are a member already. */
function joining(organization: string, { user, standing }: Granting): Actor | undefined {
  return standing ? memberOf(user, { organization, ...standing }) : undefined
}

/** A grant takes its holder out of what they have by other ways: it must not be less. */
function hasAlready(actor: Actor, object: Placed | undefined, level: Role): boolean {
  return object !== undefined && atLeast(viewOf(actor, object).role, level)
}

async function give(
  db: Db,
  {
    organization,
    user,
    level,
    ...on
  }: Granting & { object: 'space' | 'collection'; objectId: string; organization: string },
): Promise<void> {
  await grants.give(db, userGrant(on.object, { id: on.objectId, organizationId: organization }, { user, role: level }))
}
