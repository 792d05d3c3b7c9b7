import { Failure } from '@recto/operation'
import { readableSpace } from '../hierarchy/spaces/readable-space.ts'
import type { Presentation } from '../pages/present-page.ts'
import type { Context } from '../shared/context.ts'
import { readableChangeRequest } from './change-requests/readable-change-request.ts'
import { contentTag } from './content-tag.ts'
import type { RevisionRow } from '../store/revisions/revision.entity.ts'
import * as revisions from '../store/revisions/revisions.repository.ts'

/** The parameters and the query of a read. */
export interface BranchRequest {
  spaceId: string
  revisionId?: string
  changeRequestId?: string
  metadata: 'true' | 'false'
}

/** The revision that a branch is at, and how it is presented. */
export interface OpenBranch {
  revision: RevisionRow
  presentation: Presentation
}

/** A branch of a space's content: finds the revision that a request reads. Throws `not_found` when the caller may not read the space. */
export type Branch = (request: BranchRequest, context: Context) => Promise<OpenBranch>

/** The main content of a space. */
export const mainContent: Branch = async (request, context) => {
  const { space } = await readableSpace(context, request.spaceId)
  return open(await revisions.find(context.db, space.revision), request, context)
}

/** A past revision of a space. */
export const pastRevision: Branch = async (request, context) => {
  await readableSpace(context, request.spaceId)
  const revision = await revisions.find(context.db, request.revisionId ?? '')
  return open(revision?.spaceId === request.spaceId ? revision : undefined, request, context)
}

/** The content of a change request. */
export const changeRequestContent: Branch = async (request, context) => {
  const { changeRequest } = await readableChangeRequest(context, request)
  return open(await revisions.find(context.db, changeRequest.revision), request, context)
}

/** Ends a request whose client has the revision already. */
function open(
  revision: RevisionRow | undefined,
  { spaceId, metadata }: BranchRequest,
  { publicUrl, signingSecret, build, setETag }: Context,
): OpenBranch {
  if (!revision) throw new Failure('not_found', 'There is no such revision')
  setETag(contentTag(revision.id, { build, now: new Date() }))
  return { revision, presentation: { spaceId, publicUrl, signingSecret, metadata: metadata === 'true' } }
}
