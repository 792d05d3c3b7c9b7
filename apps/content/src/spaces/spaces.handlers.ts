import { spaces } from '@recto/contracts-content'
import { usersOfMergeRules } from '@recto/contracts-shared'
import { requireMember, type Membership } from '@recto/actor'
import { Failure, feature, fromView, type Input } from '@recto/operation'
import { accessFromList, resolveAccess, viewerIn } from '../access/access.policy.ts'
import { fillSpace, fillWithComputed } from '../editing/add-content.ts'
import { currentImports, readableSpaceWithImports } from '../imports/current-imports.ts'
import { createSpace, type NewSpace } from './create-space.ts'
import { requireSpecification } from '../computed-pages/specifications.policy.ts'
import { templatePages } from '../templates/template-pages.ts'
import { spaceKind } from './space-kind.ts'
import { seenPublication } from '../sites/seen-publication.ts'
import { updateResource } from '../resources/update-resource.ts'
import { presentSpace, presentToVisitor } from './present-space.ts'
import { readableSpace } from './readable-space.ts'
import { requireWrite, spaceCan } from './spaces.policy.ts'
import * as repository from '../resources/spaces.repository.ts'
import { requireUsers } from '../users/users.ts'
import type { BaseContext, Context } from '../shared/context.ts'

type SpaceInput = Input<typeof spaces.getSpaceById>

export const spaceFeature = feature<BaseContext>()(spaces, {
  async createSpace(
    { params: { organizationId }, body: { parent, template, computedSource, empty: _empty, ...settings } },
    context,
  ) {
    const { actor } = context
    requireMember(actor, organizationId)
    if (computedSource) requireSpecification(actor, organizationId)
    const set = template && (await templatePages(template, organizationId, context))
    const newSpace = { organization: organizationId, parent, settings, fill: createFill(set, computedSource) }
    const { space, access } = await context.transaction(tx => createSpace(tx, actor, newSpace))
    return presentSpace(space, access, context.publicUrl)
  },

  async listSpacesInOrganizationById({ params, query }, context) {
    const { actor } = context
    const viewer = viewerIn(actor, params.organizationId)
    const page = await repository.listReadable(context.db, viewer, { ...query, cursorKey: context.cursorKey() })
    return {
      ...page,
      items: page.items.map(space => presentSpace(space, accessFromList(actor, space), context.publicUrl)),
    }
  },

  getSpaceById: fromView(
    ({ params }: SpaceInput, context: Context) => readableSpaceWithImports(context, params.spaceId),
    async ({ space, access, hasCurrentImports }, { query: { shareKey } }, context) => {
      const { publicUrl } = context
      const { visitor } = context.actor
      const publication = await seenPublication(context, space, shareKey)
      if (visitor) return presentToVisitor(space, { visitor, publication, publicUrl })
      const presented = presentSpace(space, access, publicUrl)
      return {
        ...presented,
        urls: { ...presented.urls, ...(publication && { published: publication.url }) },
        ...(await currentImports({ space, hasCurrentImports }, undefined, context)),
      }
    },
  ),

  async updateSpaceById({ params, body }, context) {
    await requireUsersOfRules(params, body, context)
    const space = await updateResource(context, spaceKind, { id: params.spaceId, update: body })
    return presentSpace(space, resolveAccess(context.actor, space), context.publicUrl)
  },

  async listSpacesForOrganizationMember({ params, query }, context) {
    const { actor } = context
    const member = await visibleMember(context, params)
    const viewer = viewerIn(actor, params.organizationId)
    const page = await repository.listReadableByBoth(
      context.db,
      { viewer, member, order: query.order },
      { ...query, cursorKey: context.cursorKey() },
    )
    return {
      ...page,
      items: page.items.map(space => ({
        permission: space.memberRole,
        space: presentSpace(space, accessFromList(actor, space), context.publicUrl),
      })),
    }
  },
})

/** Throws when merge rules name a user outside of the organization; callers without the right learn nothing about its members. */
async function requireUsersOfRules(
  { spaceId }: { spaceId: string },
  { mergeRules }: Input<typeof spaces.updateSpaceById>['body'],
  context: Context,
): Promise<void> {
  const userIds = usersOfMergeRules(mergeRules)
  if (userIds.length === 0) return
  const readable = await readableSpace(context, spaceId)
  requireWrite(readable, spaceCan.admin)
  await requireUsers(context, readable.space.organizationId, userIds)
}

/** Makes the writer of the first pages of a new space, computed ones or those of a template; undefined for an empty space. */
function createFill(
  set: Awaited<ReturnType<typeof templatePages>> | undefined,
  source: Input<typeof spaces.createSpace>['body']['computedSource'],
): NewSpace['fill'] {
  if (source) {
    const { models, grouping } = source.props
    const { ref } = source.dependencies.spec
    const props = { models, ...(grouping && { grouping }) }
    const pageSource = { type: source.type, props, dependencies: { spec: { ref } } }
    return (tx, space) => fillWithComputed(tx, space, pageSource)
  }
  return set && ((tx, space) => fillSpace(tx, space, set))
}

/** A member or guest whose spaces the caller may list; throws `not_found` when there is none. Guests may list their own only. */
async function visibleMember(
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
