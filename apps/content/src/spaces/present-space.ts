import type { Visitor } from '@recto/actor'
import type { Space } from '@recto/contracts-shared'
import type { z } from 'zod'
import { canView, type EffectiveAccess } from '../access/access.policy.ts'
import { publishedFields, publishedUrls } from '../sites/publication.rules.ts'
import type { Publication, SpaceRow } from '../resources/space.entity.ts'
import { spaceCan, spacePermissions, visitorAccess } from './spaces.policy.ts'

/**
 * A space for a visitor of a site: without settings and counts, and with the publication on their site only, since they need not know
 * another site that shows it.
 */
export function presentToVisitor(
  space: SpaceRow,
  {
    visitor,
    publication,
    publicUrl,
  }: { visitor: Pick<Visitor, 'showsGit'>; publication: Publication | null; publicUrl: string },
): z.input<typeof Space> {
  const { gitSync, ...presentedSpace } = presentSpace(
    { ...space, ...neutralSettings, publication },
    visitorAccess,
    publicUrl,
  )
  return { ...presentedSpace, ...(gitSync && visitor.showsGit === true && { gitSync }) }
}

/** Neutral values for fields that the published schema requires of a space, and visitors do not learn. */
const neutralSettings: Pick<SpaceRow, NeutralSetting> = {
  editMode: 'locked',
  mergeRules: { type: 'inherit' },
  defaultLevel: 'inherit',
  comments: 0,
  changeRequests: 0,
  changeRequestsOpen: 0,
  changeRequestsDraft: 0,
}

type NeutralSetting =
  | 'editMode'
  | 'mergeRules'
  | 'defaultLevel'
  | 'comments'
  | 'changeRequests'
  | 'changeRequestsOpen'
  | 'changeRequestsDraft'

/** A space as the API shows it to a caller with this access. */
export function presentSpace(space: SpaceRow, access: EffectiveAccess, publicUrl: string): z.input<typeof Space> {
  return {
    object: 'space',
    id: space.id,
    title: space.title,
    emoji: space.emoji,
    ...publishedFields(space.publication, space.parent),
    createdAt: space.createdAt.toISOString(),
    updatedAt: space.updatedAt.toISOString(),
    ...(space.deletedAt && { deletedAt: space.deletedAt.toISOString() }),
    editMode: space.editMode,
    mergeRules: space.mergeRules,
    organization: space.organizationId,
    ...(space.parent !== null && canView(access.parentRole) && { parent: space.parent }),
    ...(space.language !== null && { language: space.language as 'en' }),
    ...(space.gitSync && { gitSync: space.gitSync }),
    revision: space.revision,
    defaultLevel: space.defaultLevel,
    comments: spaceCan.comment(access.role) ? space.comments : 0,
    changeRequests: space.changeRequests,
    changeRequestsOpen: space.changeRequestsOpen,
    changeRequestsDraft: space.changeRequestsDraft,
    urls: {
      location: `${publicUrl}/v1/spaces/${space.id}`,
      app: `${publicUrl}/s/${space.id}`,
      ...publishedUrls(space.publication),
      ...(space.icon !== null && { icon: space.icon }),
    },
    permissions: spacePermissions(access, space),
  }
}
