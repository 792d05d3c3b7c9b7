import type { Db } from '@recto/database'
import { Failure } from '@recto/operation'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import { projectedRevision } from '../projection/main-projections.repository.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { ReadableSpace } from '../spaces/spaces.policy.ts'
import type { Context } from '../shared/context.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { readOverlaid } from './change-request-references.ts'
import type { Overlay } from './overlay.rules.ts'
import { linkedContent } from './present-locations.ts'
import type { ResolvingContent } from './reference-rows.ts'

/** A branch of a space's content with its references. */
export interface ReferencingBranch {
  readable: ReadableSpace
  /** The content that the branch has now. */
  revision: RevisionRow
  /** Reads references with an overlay, if the branch has one, and the content that they belong to; undefined when there is none yet. */
  read<Read>(
    read: (db: Db, overlay?: Overlay) => Promise<Read>,
  ): Promise<{ read: Read; content: ResolvingContent } | undefined>
}

/** Opens a branch; throws `not_found` when the caller may not read the space. */
export type OpenReferences = (
  params: { spaceId: string; changeRequestId?: string },
  context: Context,
) => Promise<ReferencingBranch>

/** The references of main content, as far as they are projected. */
export const mainReferences: OpenReferences = async ({ spaceId }, context) => {
  const readable = await readableSpace(context, spaceId)
  return {
    readable,
    revision: await revisionOf(readable.space.revision, context),
    async read(read) {
      // Together with the revision that they belong to, which may advance at any time.
      const { shown, ...result } = await context.db.transaction('REPEATABLE READ', async manager => {
        const tx = manager as Db
        return { shown: await projectedRevision(tx, spaceId), read: await read(tx) }
      })
      const revision = shown === undefined ? undefined : await revisions.find(context.db, shown)
      return revision && { ...result, content: await linkedContent(context, revision) }
    },
  }
}

/** The references of a change request, as it is now. */
export const changeRequestReferences: OpenReferences = async (params, context) => {
  const { changeRequest, ...readable } = await readableChangeRequest(context, params)
  const revision = await revisionOf(changeRequest.revision, context)
  return {
    readable,
    revision,
    async read(read) {
      const content = await linkedContent(context, revision)
      return { read: await readOverlaid(context, { revision, content }, read), content }
    },
  }
}

async function revisionOf(id: string, { db }: Context): Promise<RevisionRow> {
  const revision = await revisions.find(db, id)
  if (!revision) throw new Failure('not_found', 'There is no such revision')
  return revision
}
