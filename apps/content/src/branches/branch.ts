import type { Visitor } from '@recto/actor'
import { downloadIssuedFor } from '@recto/actor/site-version'
import { Failure } from '@recto/operation'
import { readableSpace } from '../hierarchy/spaces/readable-space.ts'
import type { Presentation } from '../pages/present-page.ts'
import type { Context } from '../shared/context.ts'
import * as changeRequests from './change-requests/change-requests.repository.ts'
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
  /** Whether computed pages are shown in the place of their declarations; they are unless it says no. */
  computed?: 'true' | 'false'
}

/** The revision that a branch is at, and how it is presented. */
export interface OpenBranch {
  revision: RevisionRow
  presentation: Presentation
  computed: 'true' | 'false'
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
  const isOfSpace = revision?.spaceId === request.spaceId
  return open(isOfSpace && (await isShown(revision, context)) ? revision : undefined, request, context)
}

/** Visitors read what main content is or was, and what they preview: nothing that was only proposed. */
async function isShown(revision: RevisionRow, { actor: { visitor }, db }: Context): Promise<boolean> {
  if (!visitor || visitor.previews || revision.mainNumber !== null || revision.id === visitor.revision) return true
  if (visitor.changeRequest === undefined) return false
  const previewed = await changeRequests.find(db, revision.spaceId, visitor.changeRequest)
  return previewed?.revision === revision.id
}

/** The content of a change request. */
export const changeRequestContent: Branch = async (request, context) => {
  const { changeRequest } = await readableChangeRequest(context, request)
  return open(await revisions.find(context.db, changeRequest.revision), request, context)
}

/** Ends a request whose client has the revision already. */
function open(
  revision: RevisionRow | undefined,
  { spaceId, metadata, computed = 'true' }: BranchRequest,
  { publicUrl, signingSecret, build, setETag, actor: { visitor } }: Context,
): OpenBranch {
  if (!revision) throw new Failure('not_found', 'There is no such revision')
  // Texts for visitors name addresses of their site, which its version stands for.
  const variant = visitor ? `${build}:${JSON.stringify([visitor.claims, visitor.showsGit, ...siteOf(visitor)])}` : build
  setETag(contentTag(revision.id, { build: variant, now: new Date() }))
  const showsGit = metadata === 'true' && (!visitor || visitor.showsGit === true)
  const issuedFor = downloadIssuedFor(visitor)
  return { revision, presentation: { spaceId, publicUrl, signingSecret, issuedFor, metadata: showsGit }, computed }
}

function siteOf({ site, version, previews, changeRequest, revision }: Visitor): unknown[] {
  return [site, version, previews === true || changeRequest !== undefined || revision !== undefined]
}
