import { baseRevision } from '../change-requests/change-requests.rules.ts'
import { readableChangeRequest, type ChangeRequestParams } from '../change-requests/readable-change-request.ts'
import { revisionIn, type ResolvedRevision } from '../reading/resolve-revision.ts'
import type { Context } from '../shared/context.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { ReadableSpace } from '../spaces/spaces.policy.ts'

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
  const { changeRequest, space } = await readableChangeRequest(context, params)
  const since = baseRevision(changeRequest)
  return sidesIn({ space }, { revisionId: changeRequest.revision, since }, context)
}

/** Opens a revision and what it is compared with; throws `not_found` where the caller may not read both. */
export async function revisionSides(compared: ComparedRevisions, context: Context): Promise<Sides> {
  const { spaceId, sinceSpace = spaceId } = compared
  const { space } = await readableSpace(context, spaceId)
  return sidesIn({ space, ...(sinceSpace !== spaceId && { sinceSpace }) }, compared, context)
}

type Space = ReadableSpace['space']

async function sidesIn(
  { space, sinceSpace }: { space: Space; sinceSpace?: string },
  { revisionId, since: sinceId }: Pick<ComparedRevisions, 'revisionId' | 'since'>,
  context: Context,
): Promise<Sides> {
  const tags: string[] = []
  // The tag names both sides: one of them alone would end a request for what has another difference.
  const tools = { ...context, setETag: (tag: string) => void tags.push(tag) }
  const open = (from: Space, id: string) =>
    revisionIn(from, { spaceId: from.id, revisionId: id, metadata: 'false' }, tools)
  const after = await open(space, revisionId)
  const since = sinceId ?? after.revision.parents[0]
  const ofBefore = async () => (sinceSpace === undefined ? space : (await readableSpace(context, sinceSpace)).space)
  const before = since === undefined ? undefined : await open(await ofBefore(), since)
  context.setETag(tags.join('-'))
  return { before, after }
}
