import type { gitContentCalls } from '@recto/contracts-git-worker-bus'
import type { Output } from '@recto/operation'
import type { SpaceRow } from '../resources/space.entity.ts'

/** The space as git-worker needs it. */
export function gitSpaceOf({
  organizationId,
  revision,
  deletedAt,
  gitSync,
  publication,
}: SpaceRow): Output<typeof gitContentCalls.findGitSpace> {
  return {
    organizationId,
    revision,
    isDeleted: deletedAt !== null,
    ...(gitSync && { repository: gitSync }),
    ...(publication && { publication: { url: publication.url, isPublic: publication.visibility === 'public' } }),
  }
}
