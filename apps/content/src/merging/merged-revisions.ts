import type { Db } from '@recto/database'
import { baseRevision } from '../change-requests/change-requests.rules.ts'
import type { ReadableChangeRequest } from '../change-requests/readable-change-request.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { MergedRevisions } from './merge-revisions.ts'

/** The revisions that a merge of a change request would merge now. */
export async function revisionsOf(
  db: Db,
  { space, changeRequest }: Pick<ReadableChangeRequest, 'space' | 'changeRequest'>,
): Promise<MergedRevisions> {
  return {
    base: await revisions.get(db, baseRevision(changeRequest)),
    main: await revisions.get(db, space.revision),
    changeRequest: await revisions.get(db, changeRequest.revision),
  }
}
