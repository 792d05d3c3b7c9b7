import { createId, Failure } from '@recto/operation'
import type { SpaceRow } from '../resources/space.entity.ts'
import type { ChangeRequestRow } from './change-request.entity.ts'

/** The counts of change requests that a space has. */
export type ChangeRequestCounts = Pick<SpaceRow, 'changeRequests' | 'changeRequestsOpen' | 'changeRequestsDraft'>

/** A new change request, at the main content that the space has. The caller holds the lock of the space, so numbers are dense. */
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

/** The counts of a space after one of its change requests got another status; `from` is undefined for a new one. */
export function recount(
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

/** The revision of main content that a change request has all of: the one it was updated from last, else the one it started from. */
export function baseRevision({
  revisionMergedAncestor,
  revisionInitial,
}: Pick<ChangeRequestRow, 'revisionMergedAncestor' | 'revisionInitial'>): string {
  return revisionMergedAncestor ?? revisionInitial
}

/** Whether main content has changed since a change request started or was updated last; one that is merged has nothing to be updated with. */
export function isOutdated(row: ChangeRequestRow, main: string): boolean {
  return row.status !== 'merged' && baseRevision(row) !== main
}

/** Whether a change request was neither merged nor archived. */
export function isActive({ status }: Pick<ChangeRequestRow, 'status'>): boolean {
  return status !== 'merged' && status !== 'archived'
}

/** Throws `conflict` when a change request is merged or archived: nothing of it changes any more until it is reopened. */
export function requireActive(changeRequest: Pick<ChangeRequestRow, 'status' | 'number'>): void {
  const { status, number } = changeRequest
  if (!isActive(changeRequest)) throw new Failure('conflict', `The change request #${number} is ${status}`)
}
