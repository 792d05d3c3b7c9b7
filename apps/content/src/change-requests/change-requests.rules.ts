import { createId, Failure } from '@recto/operation'
import type { SpaceRow } from '../resources/space.entity.ts'
import type { ChangeRequestRow } from './change-request.entity.ts'

/** The counts of change requests in the row of a space. */
export type ChangeRequestCounts = Pick<SpaceRow, 'changeRequests' | 'changeRequestsOpen' | 'changeRequestsDraft'>

/** Makes a change request that starts at main content. The caller must hold the lock of the space, so that numbers have no gaps. */
export function newChangeRequest(
  space: Pick<SpaceRow, 'id' | 'revision' | 'changeRequests'>,
  { subject, createdBy }: { subject: string; createdBy: string },
): ChangeRequestRow {
  const now = new Date()
  return {
    id: createId(),
    spaceId: space.id,
    number: space.changeRequests + 1,
    status: 'draft',
    subject,
    description: null,
    links: [],
    revision: space.revision,
    revisionInitial: space.revision,
    revisionMergedAncestor: null,
    revisionMerged: null,
    comments: 0,
    createdBy,
    createdAt: now,
    updatedAt: now,
  }
}

/** The counts of a space after a change request went from one status to another; `from` is undefined for a new change request. */
export function countsAfter(
  counts: ChangeRequestCounts,
  { from, to }: { from?: ChangeRequestRow['status']; to: ChangeRequestRow['status'] },
): ChangeRequestCounts {
  const delta = (status: ChangeRequestRow['status']) => Number(to === status) - Number(from === status)
  return {
    changeRequests: counts.changeRequests + (from === undefined ? 1 : 0),
    changeRequestsOpen: counts.changeRequestsOpen + delta('open'),
    changeRequestsDraft: counts.changeRequestsDraft + delta('draft'),
  }
}

/** The last revision of main content that is contained in a change request: it was updated from it, or else started from it. */
export function baseRevision({
  revisionMergedAncestor,
  revisionInitial,
}: Pick<ChangeRequestRow, 'revisionMergedAncestor' | 'revisionInitial'>): string {
  return revisionMergedAncestor ?? revisionInitial
}

/** Whether main content has changed since a change request started or was last updated; a merged change request is never outdated. */
export function isOutdated(row: ChangeRequestRow, main: string): boolean {
  return row.status !== 'merged' && baseRevision(row) !== main
}

/** Whether a change request is neither merged nor archived. */
export function isActive({ status }: Pick<ChangeRequestRow, 'status'>): boolean {
  return status !== 'merged' && status !== 'archived'
}

/** Throws `conflict` when a change request is merged or archived: it must be reopened before it can change. */
export function requireActive(changeRequest: Pick<ChangeRequestRow, 'status' | 'number'>): void {
  const { status, number } = changeRequest
  if (!isActive(changeRequest)) throw new Failure('conflict', `The change request #${number} is ${status}`)
}
