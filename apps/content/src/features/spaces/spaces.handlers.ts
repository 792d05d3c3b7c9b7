import { contentEvents, spaces } from '@recto/contracts'
import type { Membership } from '@recto/actor'
import { Failure, feature } from '@recto/operation'
import { requireMember, viewerIn, viewOf, viewOfListed } from '../../access/access.policy.ts'
import { placeIn } from '../../hierarchy/placement/placement.ts'
import type { BaseContext, Context } from '../../shared/context.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import { emptyRevision } from '../../store/revisions/revisions.rules.ts'
import { stamp } from '../../shared/event-metadata.ts'
import { changeSpace } from '../../hierarchy/settings/update-space.ts'
import { presentSpace } from '../../hierarchy/spaces/present-space.ts'
import { seenSpace } from '../../hierarchy/spaces/readable-space.ts'
import { newSpace } from '../../hierarchy/spaces/spaces.rules.ts'
import * as repository from '../../hierarchy/spaces/spaces.repository.ts'

export const spaceFeature = feature<BaseContext>()(spaces, {
  async createSpace({ params: { organizationId }, body: { parent, ...given } }, context) {
    const { actor } = context
    requireMember(actor, organizationId)
    const { space, view } = await context.transaction(async tx => {
      const { view, ...place } = await placeIn(tx, actor, { organization: organizationId, parent })
      const space = newSpace({ ...given, ...place, organizationId, createdBy: actor.userId })
      await revisions.insert(tx, emptyRevision({ id: space.revision, spaceId: space.id, createdBy: actor.userId }))
      await repository.insert(tx, space)
      await tx.publish(contentEvents.spaceCreated, {
        ...stamp(actor, space),
        space: space.id,
        parent: space.parent,
      })
      return { space, view }
    })
    return presentSpace(space, view, context.publicUrl)
  },

  async listSpacesInOrganizationById({ params, query }, context) {
    const { actor } = context
    const viewer = viewerIn(actor, params.organizationId)
    const page = await repository.listSeen(context.db, viewer, { ...query, cursorKey: context.cursorKey() })
    return {
      ...page,
      items: page.items.map(space => presentSpace(space, viewOfListed(actor, space), context.publicUrl)),
    }
  },

  async getSpaceById({ params }, context) {
    const { space, view } = await seenSpace(context, params.spaceId)
    return presentSpace(space, view, context.publicUrl)
  },

  async updateSpaceById({ params, body }, context) {
    const space = await changeSpace(context, params.spaceId, body)
    return presentSpace(space, viewOf(context.actor, space), context.publicUrl)
  },

  async listSpacesForOrganizationMember({ params, query }, context) {
    const { actor } = context
    const member = await seenMember(context, params)
    const viewer = viewerIn(actor, params.organizationId)
    const page = await repository.listSeenByBoth(
      context.db,
      { viewer, member, order: query.order },
      { ...query, cursorKey: context.cursorKey() },
    )
    return {
      ...page,
      items: page.items.map(space => ({
        permission: space.memberRole,
        space: presentSpace(space, viewOfListed(actor, space), context.publicUrl),
      })),
    }
  },
})

/** A member or guest as the caller may look at them: guests see themselves only. */
async function seenMember(
  context: Context,
  { organizationId: organization, userId }: { organizationId: string; userId: string },
): Promise<Membership & { userId: string }> {
  const { actor } = context
  const own = requireMember(actor, organization)
  if (userId === actor.userId) return { ...own, userId }
  const {
    members: [member],
  } =
    own.role === null
      ? { members: [] }
      : await context.people.listMemberships({ body: { organization, users: [userId] } })
  if (!member) throw new Failure('not_found', 'There is no such member')
  return { organization, userId, role: member.role, teams: member.teams }
}
