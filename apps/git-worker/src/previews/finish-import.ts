import type { Transaction } from '@recto/database'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import type { GitSpace } from '../spaces/git-spaces.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { startNextImport, updatePreview } from './follow-previews.ts'
import type { GitPreviewRow } from './git-preview.entity.ts'
import * as previews from './git-previews.repository.ts'

/** The end of an import: its revision and commit, or why there is none. */
type ImportEnd = Pick<GitOperationRow, 'state'> &
  Partial<Pick<GitOperationRow, 'revision' | 'commit' | 'error'>> & { space?: GitSpace }

/**
 * Records the end of the import of a pull request, and enqueues the next one, which the caller dispatches. The caller holds the lock of the
 * space. A failed import leaves the revision that the preview shows as it is.
 */
export async function finishPreviewImport(
  tx: Transaction,
  operation: GitOperationRow,
  { state, revision, commit, error, space }: ImportEnd,
): Promise<void> {
  const preview = await previews.lock(tx, operation.options.preview ?? '')
  const sync = await syncs.findOf(tx, operation)
  if (!preview || !sync || preview.operationId !== operation.id) return
  const isDone = state === 'success' && revision != null && commit != null
  const changes = isDone
    ? imported(preview, { revision, commit, requestedHead: operation.options.head })
    : failed(preview, { error: error ?? null, requestedHead: operation.options.head })
  if (preview.state === 'open') await updatePreview(tx, sync, { preview, changes })
  else await previews.update(tx, preview.id, { step: 'idle' })
  await startNextImport(tx, { sync, space: space ?? { organizationId: operation.organizationId } })
}

/**
 * The columns of a preview after its import. The import read the head later than it was requested: what it read is the newest commit, unless
 * another one was seen meanwhile, which is imported next.
 */
function imported(
  { head }: GitPreviewRow,
  { revision, commit, requestedHead }: { revision: string; commit: string; requestedHead: string | undefined },
): Partial<GitPreviewRow> {
  const result = { revision, commit, error: null, report: null }
  if (commit !== head && head !== requestedHead) return { ...result, step: 'import' }
  return { ...result, head: commit, step: 'check', dueAt: new Date(), attempts: 0, isTaken: false }
}

/** The columns of a preview whose import failed; a commit that was pushed meanwhile may do better. */
function failed(
  { head, operationId }: GitPreviewRow,
  { error, requestedHead }: { error: GitPreviewRow['error']; requestedHead: string | undefined },
): Partial<GitPreviewRow> {
  if (head !== requestedHead) return { step: 'import' }
  const reason = error ?? { code: 'gave_up' as const, message: `The import ${operationId ?? ''} did not end` }
  return { commit: head, error: reason, report: null, step: 'idle' }
}
