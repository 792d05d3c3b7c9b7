import type { Db } from '@recto/database'
import { Failure } from '@recto/operation'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import { projectedRevision } from '../projection/main-projections.repository.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { ReadableSpace } from '../spaces/spaces.policy.ts'
import type { Context } from '../shared/context.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { readWithOverlay } from './change-request-references.ts'
import type { Overlay } from './overlay.rules.ts'
import { loadResolvingContent } from './present-locations.ts'
import type { ResolvingContent } from './reference-rows.ts'

/** Main content or a change request, with its references. */
export interface ReferencesView {
  readable: ReadableSpace
  /** The current revision. */
  revision: RevisionRow
  /** Reads references, with the overlay of a change request, and the content that they belong to; undefined when nothing is projected yet. */
  read<Read>(
    read: (db: Db, overlay?: Overlay) => Promise<Read>,
  ): Promise<{ read: Read; content: ResolvingContent } | undefined>
}

/** Opens the references of main content or a change request; throws `not_found` when the caller may not read the space. */
export type OpenReferences = (
  params: { spaceId: string; changeRequestId?: string },
  context: Context,
) => Promise<ReferencesView>

/** Opens the references of main content, as far as they are projected. */
export const mainReferences: OpenReferences = async ({ spaceId }, context) => {
  const readable = await readableSpace(context, spaceId)
  return {
    readable,
    revision: await revisionOf(readable.space.revision, context),
    async read(read) {
      // References are read together with the revision that they belong to, which may advance at any time.
      const { shown: projectedId, ...result } = await context.db.transaction('REPEATABLE READ', async manager => {
        const tx = manager as Db
        return { shown: await projectedRevision(tx, spaceId), read: await read(tx) }
      })
      const revision = projectedId === undefined ? undefined : await revisions.find(context.db, projectedId)
      return revision && { ...result, content: await loadResolvingContent(context, revision) }
    },
  }
}

/** Opens the references of a change request's current revision. */
export const changeRequestReferences: OpenReferences = async (params, context) => {
  const { changeRequest, ...readable } = await readableChangeRequest(context, params)
  const revision = await revisionOf(changeRequest.revision, context)
  return {
    readable,
    revision,
    async read(read) {
      const content = await loadResolvingContent(context, revision)
      return { read: await readWithOverlay(context, { revision, content }, read), content }
    },
  }
}

async function revisionOf(id: string, { db }: Context): Promise<RevisionRow> {
  const revision = await revisions.find(db, id)
  if (!revision) throw new Failure('not_found', 'There is no such revision')
  return revision
}
