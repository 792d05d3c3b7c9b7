import { baseRevision } from '../change-requests/change-requests.rules.ts'
import { readableChangeRequest, type ChangeRequestParams } from '../change-requests/readable-change-request.ts'
import { pastRevision, type ResolvedRevision } from '../reading/resolve-revision.ts'
import type { Context } from '../shared/context.ts'

/** Two revisions that are compared, as the caller sees them; without the first one, all of the second one is new. */
export interface Sides {
  before: ResolvedRevision | undefined
  after: ResolvedRevision
}

/** A revision, and what it is compared with. */
export interface ComparedRevisions {
  spaceId: string
  revisionId: string
  since?: string | undefined
  sinceSpace?: string | undefined
}

/** Opens the content of a change request and the main content that it was updated from last; throws `not_found` where the caller may not read both. */
export async function changeRequestSides(params: ChangeRequestParams, context: Context): Promise<Sides> {
  const { changeRequest } = await readableChangeRequest(context, params)
  const since = baseRevision(changeRequest)
  return revisionSides({ spaceId: params.spaceId, revisionId: changeRequest.revision, since }, context)
}

/** Opens a revision and what it is compared with; throws `not_found` where the caller may not read both. */
export async function revisionSides(compared: ComparedRevisions, context: Context): Promise<Sides> {
  const { spaceId, revisionId, sinceSpace = spaceId } = compared
  const tags: string[] = []
  // The tag names both sides: one of them alone would end a request for what has another difference.
  const tools = { ...context, setETag: (tag: string) => void tags.push(tag) }
  const after = await pastRevision({ spaceId, revisionId, metadata: 'false' }, tools)
  const since = compared.since ?? after.revision.parents[0]
  const before =
    since === undefined
      ? undefined
      : await pastRevision({ spaceId: sinceSpace, revisionId: since, metadata: 'false' }, tools)
  context.setETag(tags.join('-'))
  return { before, after }
}
