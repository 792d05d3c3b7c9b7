import type { Space } from '@recto/contracts'
import type { z } from 'zod'
import { canView, type EffectiveAccess } from '../../access/access.policy.ts'
import { publishedFields, publishedUrls } from './publication.rules.ts'
import type { SpaceRow } from './space.entity.ts'
import { spaceCan, spacePermissions } from './spaces.policy.ts'

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
