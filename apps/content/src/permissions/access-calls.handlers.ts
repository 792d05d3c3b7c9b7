import { accessCalls } from '@recto/contracts-content-bus'
import { type Actor, atLeast, memberActor, type Role } from '@recto/actor'
import { feature } from '@recto/operation'
import { requireCanGrant, resolveAccess, type ResourceWithAcl } from '../access/access.policy.ts'
import * as grants from '../access/grants.repository.ts'
import { userGrant } from '../access/grants.rules.ts'
import { collectionKind } from '../collections/collection-kind.ts'
import type { Resource, ResourceKind } from '../resources/resource-kind.ts'
import { spaceKind } from '../spaces/space-kind.ts'
import { requireCollectionIn, requireReadCollection } from '../collections/collections.policy.ts'
import * as collections from '../resources/collections.repository.ts'
import { presentCollection } from '../collections/present-collection.ts'
import { presentSpace } from '../spaces/present-space.ts'
import { requireSpaceIn, requireRead } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { countGranted, countReadable } from '../resources/counts.repository.ts'
import type { BaseContext, Context } from '../shared/context.ts'

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
    const viewer = { organization, userId: user, limitedTo: undefined, ...standing }
    const [readable, granted] = await Promise.all([countReadable(db, viewer, members), countGranted(db, viewer, teams)])
    return { members: readable, teams: granted }
  },

  async findInvitedSpace({ body: { actor, organization, space: id, level } }, { db, publicUrl }) {
    const { space, role, access } = requireRead(actor, await spaces.findWithAcl(db, id, actor))
    requireSpaceIn(organization, space)
    requireCanGrant(role, level)
    return { space: presentSpace(space, access, publicUrl), role }
  },

  async findInvitedCollection({ body: { actor, organization, collection: id, level } }, { db, publicUrl }) {
    const { collection, role, access } = requireReadCollection(actor, await collections.findWithAcl(db, id, actor))
    requireCollectionIn(organization, collection)
    requireCanGrant(role, level)
    return { collection: presentCollection(collection, access, publicUrl), role }
  },

  grantCollection: ({ body: { collection: id, ...request } }, context) =>
    grantInvited(context, { kind: collectionKind, id, request }),

  grantSpace: ({ body: { space: id, ...request } }, context) => grantInvited(context, { kind: spaceKind, id, request }),
})

interface GrantRequest {
  organization: string
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

/** Grants an invited user a level on a resource of the organization, unless they have it already; throws `not_found` for another resource. */
async function grantInvited<Row extends Resource>(
  { transaction }: Pick<Context, 'transaction'>,
  { kind, id, request }: { kind: ResourceKind<Row>; id: string; request: GrantRequest },
): Promise<Record<string, never>> {
  const { organization, user, level } = request
  await transaction(async tx => {
    const resource = kind.requireIn(organization, await kind.lockRow(tx, id))
    const actor = invitedActor(organization, request)
    if (actor && hasAtLeast(actor, await kind.find(tx, id, actor), level)) return
    const subject = { subject: 'user' as const, subjectId: user }
    const [held] = await grants.findGrants(tx, { resourceType: kind.type, resourceId: id }, [subject])
    await grants.grantAtLeast(tx, userGrant(kind.type, resource, { user, role: level }))
    if (held && atLeast(held.role, level)) return
    const change = { users: [user], teams: [], defaultLevel: false }
    kind.recordPermissionChange(tx, { id, organizationId: organization, ...change })
  })
  return {}
}
