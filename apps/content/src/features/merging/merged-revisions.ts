import type { Db } from '@recto/database'
import { baseRevision } from '../../branches/change-requests/change-requests.rules.ts'
import type { ReadableChangeRequest } from '../../branches/change-requests/readable-change-request.ts'
import type { RevisionRow } from '../../store/revisions/revision.entity.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import type { MergedRevisions } from './merge-revisions.ts'

/** The revisions that a merge of a change request is of, now. */
export async function revisionsOf(
  db: Db,
  { space, changeRequest }: Pick<ReadableChangeRequest, 'space' | 'changeRequest'>,
): Promise<MergedRevisions> {
  return {
    base: await get(db, baseRevision(changeRequest)),
    main: await get(db, space.revision),
    changeRequest: await get(db, changeRequest.revision),
  }
}

async function get(db: Db, id: string): Promise<RevisionRow> {
  const revision = await revisions.find(db, id)
  if (!revision) throw new Error(`Revision ${id} is gone`)
  return revision
}
