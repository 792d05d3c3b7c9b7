import type { git } from '@recto/contracts-git-worker'
import type { Output } from '@recto/operation'
import type { GitOperationRow } from './git-operation.entity.ts'

/** Presents a git operation, without credentials. */
export function presentOperation(row: GitOperationRow): Output<typeof git.getGitOperation> {
  const { id, direction, state, url, ref, attempts, warnings } = row
  return {
    object: 'git-operation',
    id,
    direction,
    state,
    url,
    ref,
    attempts,
    warnings,
    automatic: row.syncId !== null,
    ...(row.stage && { stage: row.stage }),
    ...(row.progress && { progress: row.progress }),
    createdAt: row.createdAt.toISOString(),
    ...(row.startedAt && { startedAt: row.startedAt.toISOString() }),
    ...(row.completedAt && { completedAt: row.completedAt.toISOString() }),
    ...(row.revision !== null && { revision: row.revision }),
    ...(row.commit !== null && { commit: row.commit }),
    ...(row.error && { error: row.error }),
  }
}
