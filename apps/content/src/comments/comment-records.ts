import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import type { CommentPlace } from './comment-place.ts'
import type { CommentRow } from './comment.entity.ts'

/** A comment, or a reply to it, as the record names it. */
export interface RecordedComment {
  place: CommentPlace
  comment: Pick<CommentRow, 'id' | 'pageId'>
}

const subjectOf = ({ place: { space, changeRequest }, comment }: RecordedComment) => ({
  organization: space.organizationId,
  space: space.id,
  ...(changeRequest && { changeRequest: changeRequest.id }),
  ...(comment.pageId !== null && { page: comment.pageId }),
  comment: comment.id,
})

/** Records that a comment was posted or deleted, or which of its fields changed. */
export function recordComment(
  tx: Transaction,
  action: 'created' | 'updated' | 'deleted',
  { details, ...change }: RecordedComment & { details?: { fields: string[]; status?: CommentRow['status'] } },
): void {
  tx.record(recorded(`comment.${action}`, { ...subjectOf(change), details }))
}

/** Records that a reply was posted or deleted, or which of its fields changed. */
export function recordReply(
  tx: Transaction,
  action: 'created' | 'updated' | 'deleted',
  { reply, details, ...change }: RecordedComment & { reply: string; details?: { fields: string[] } },
): void {
  tx.record(recorded(`comment-reply.${action}`, { ...subjectOf(change), commentReply: reply, details }))
}

/** The names of what changed. */
export function changedNames(changes: Record<string, unknown>): string[] {
  return Object.keys(changes).filter(name => changes[name] !== undefined && changes[name] !== false)
}
