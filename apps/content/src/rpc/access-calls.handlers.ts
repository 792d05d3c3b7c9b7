import { accessCalls } from '@recto/contracts'
import type { Db } from '@recto/database'
import { atLeast, type Actor, type Role } from '@recto/actor'
import { feature } from '@recto/operation'
import { memberActor, requireGrant, resolveAccess, type ResourceWithAcl } from '../access/access.policy.ts'
import type { ResourceType } from '../access/grant.entity.ts'
import * as grants from '../access/grants.repository.ts'
import { userGrant } from '../access/grants.rules.ts'
import { requireCollectionIn, requireReadCollection } from '../hierarchy/collections/collections.policy.ts'
import * as collections from '../hierarchy/collections/collections.repository.ts'
import { presentCollection } from '../hierarchy/collections/present-collection.ts'
import { presentSpace } from '../hierarchy/spaces/present-space.ts'
import { requireIn, requireRead } from '../hierarchy/spaces/spaces.policy.ts'
import * as spaces from '../hierarchy/spaces/spaces.repository.ts'
import { countGranted, countReadable } from '../hierarchy/visibility/counts.repository.ts'
import type { BaseContext } from '../shared/context.ts'

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
    const [readable, granted] = await Promise.all([countReadable(db, viewer, members), countGranted(db, viewer, teams)])
    return { members: readable, teams: granted }
  },

  async findInvitedSpace({ body: { actor, organization, space: id, level } }, { db, publicUrl }) {
    const { space, role, access } = requireRead(actor, await spaces.findWithAcl(db, id, actor))
    requireIn(organization, space)
    requireGrant(role, level)
    return { space: presentSpace(space, access, publicUrl), role }
  },

  async findInvitedCollection({ body: { actor, organization, collection: id, level } }, { db, publicUrl }) {
    const { collection, role, access } = requireReadCollection(actor, await collections.findWithAcl(db, id, actor))
    requireCollectionIn(organization, collection)
    requireGrant(role, level)
    return { collection: presentCollection(collection, access, publicUrl), role }
  },

  async grantCollection({ body: { organization, collection: id, ...granted } }, { db }) {
    await db.transaction(async transaction => {
      const { id: resourceId } = requireCollectionIn(organization, await collections.lock(transaction, id))
      const actor = invitedActor(organization, granted)
      if (!actor || !hasAtLeast(actor, await collections.findWithAcl(transaction, id, actor), granted.level))
        await grant(transaction, { resourceType: 'collection', resourceId, organization, ...granted })
    })
    return {}
  },

  async grantSpace({ body: { organization, space: id, ...granted } }, { db }) {
    await db.transaction(async transaction => {
      const { id: resourceId } = requireIn(organization, await spaces.lock(transaction, id))
      const actor = invitedActor(organization, granted)
      if (!actor || !hasAtLeast(actor, await spaces.findWithAcl(transaction, id, actor), granted.level))
        await grant(transaction, { resourceType: 'space', resourceId, organization, ...granted })
    })
    return {}
  },
})

interface GrantRequest {
  user: string
  level: Role
  standing: { role: Role | null; teams: string[] } | null
}

/** The invited user as an actor, when they are in the organization already. */
function invitedActor(organization: string, { user, standing }: GrantRequest): Actor | undefined {
  return standing ? memberActor(user, { organization, ...standing }) : undefined
}

/** Whether the user has this level already: a grant takes precedence over all else, so a lower one would lower their role. */
function hasAtLeast(actor: Actor, resource: ResourceWithAcl | undefined, level: Role): boolean {
  return resource !== undefined && atLeast(resolveAccess(actor, resource).role, level)
}

async function grant(
  db: Db,
  {
    organization,
    user,
    level,
    resourceType,
    resourceId,
  }: GrantRequest & { resourceType: ResourceType; resourceId: string; organization: string },
): Promise<void> {
  const resource = { id: resourceId, organizationId: organization }
  await grants.grantAtLeast(db, userGrant(resourceType, resource, { user, role: level }))
}
