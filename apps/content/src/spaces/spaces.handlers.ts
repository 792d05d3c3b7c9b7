import { contentEvents, spaces } from '@recto/contracts'
import { tellEvent } from '@recto/database'
import { Failure, implement, type Membership } from '@recto/operation'
import { requireMember, viewerIn, viewOf, viewOfListed } from '../access/access.policy.ts'
import { placeIn } from '../collections/place-in.ts'
import { actorOf, type Context } from '../context.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { emptyRevision } from '../revisions/revisions.rules.ts'
import { stamp } from '../stamp.ts'
import { changeSpace } from './changing.ts'
import { presentSpace } from './present.ts'
import { seenSpace } from './seen-space.ts'
import { newSpace } from './spaces.rules.ts'
import * as repository from './spaces.repository.ts'

export const spaceHandlers = implement<Context>()(spaces, {
  async createSpace({ params: { organizationId }, body: { parent, ...given } }, context) {
    const actor = actorOf(context)
    requireMember(actor, organizationId)
    const { space, view, told } = await context.db.transaction(async db => {
      const { view, ...place } = await placeIn(db, actor, { organization: organizationId, parent })
      const space = newSpace({ ...given, ...place, organizationId, createdBy: actor.userId })
      await revisions.insert(db, emptyRevision({ id: space.revision, spaceId: space.id, createdBy: actor.userId }))
      await repository.insert(db, space)
      return {
        space,
        view,
        told: await tellEvent(db, contentEvents.spaceCreated, {
          ...stamp(actor, space),
          space: space.id,
          parent: space.parent,
        }),
      }
    })
    context.signal(told)
    return presentSpace(space, view, context.publicUrl)
  },

  async listSpacesInOrganizationById({ params, query }, context) {
    const actor = actorOf(context)
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
    return presentSpace(space, viewOf(actorOf(context), space), context.publicUrl)
  },

  async listSpacesForOrganizationMember({ params, query }, context) {
    const actor = actorOf(context)
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
  const actor = actorOf(context)
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
