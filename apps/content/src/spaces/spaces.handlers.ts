import { spaces } from '@recto/contracts'
import { createId, Failure, implement, membershipIn } from '@recto/operation'
import { actorOf, type Context } from '../context.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { emptyRevision } from '../revisions/revisions.rules.ts'
import { presentSpace } from './present.ts'
import type { SpaceRow } from './space.entity.ts'
import { canCreateSpace, requireView, roleOn } from './spaces.policy.ts'
import * as repository from './spaces.repository.ts'

const defaultEmoji = '1f4d8'

export const spaceHandlers = implement<Context>()(spaces, {
  async createSpace({ params, body }, context) {
    const actor = actorOf(context)
    if (!membershipIn(actor, params.organizationId)) throw new Failure('not_found', 'There is no such organization')
    if (!canCreateSpace(actor, params.organizationId)) throw new Failure('forbidden', 'Creating spaces needs the role create')
    if (body.parent !== undefined) throw new Failure('not_found', 'There is no such collection')
    const space = newSpace(params.organizationId, { ...body, createdBy: actor.userId })
    await context.db.transaction(async db => {
      await revisions.insert(db, emptyRevision({ id: space.revision, spaceId: space.id, createdBy: actor.userId }))
      await repository.insert(db, space)
    })
    return presentSpace(space, roleOn(actor, space), context.publicUrl)
  },

  async listSpacesInOrganizationById({ params, query }, context) {
    const actor = actorOf(context)
    const membership = membershipIn(actor, params.organizationId)
    if (!membership) throw new Failure('not_found', 'There is no such organization')
    if (membership.role === null) return { items: [], count: 0 }
    const filter = { organization: params.organizationId, onlyOpen: membership.role !== 'admin' }
    const page = await repository.listOf(context.db, filter, { ...query, secret: context.signingSecret })
    return { ...page, items: page.items.map(space => presentSpace(space, roleOn(actor, space), context.publicUrl)) }
  },

  async getSpaceById({ params }, context) {
    const { space, role } = requireView(actorOf(context), await repository.find(context.db, params.spaceId))
    return presentSpace(space, role, context.publicUrl)
  },
})

interface SpaceRequest {
  title?: string | undefined
  emoji?: string | undefined
  language?: string | undefined
  editMode: 'live' | 'locked'
  createdBy: string
}

function newSpace(organizationId: string, request: SpaceRequest): SpaceRow {
  const now = new Date()
  return {
    id: createId(),
    organizationId,
    title: request.title ?? 'Untitled',
    emoji: request.emoji ?? defaultEmoji,
    language: request.language ?? null,
    editMode: request.editMode,
    defaultLevel: 'inherit',
    revision: createId(),
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    gitSync: null,
    createdBy: request.createdBy,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
}
