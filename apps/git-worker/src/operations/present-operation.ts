import type { git } from '@recto/contracts-git-worker'
import type { GitSyncOperation } from '@recto/contracts-shared'
import type { Output } from '@recto/operation'
import type { z } from 'zod'
import type { GitOperationRow } from './git-operation.entity.ts'

/** Presents the latest operation of a space as its git info shows it; undefined for one that was skipped, or has not started. */
export function presentLatest(row: GitOperationRow): z.input<typeof GitSyncOperation> | undefined {
  const { state, direction, startedAt, completedAt, error } = row
  if (!startedAt || state === 'skipped') return undefined
  return {
    // One that waits for its next attempt goes on.
    state: state === 'queued' ? 'running' : state === 'failure' && error?.code === 'timeout' ? 'timeout' : state,
    direction,
    startedAt: startedAt.toISOString(),
    ...(completedAt && { endedAt: completedAt.toISOString() }),
    ...(state === 'failure' && error && { error: error.message }),
  }
}

/** Presents a git operation, without credentials. */
export function presentOperation(row: GitOperationRow): Output<typeof git.getGitOperation> {
  const { id, direction, state, url, ref, attempts, warnings, options } = row
  return {
    object: 'git-operation',
    id,
    direction,
    state,
    ...(url !== '' && { url, ref }),
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
    ...(options.changeRequest !== undefined && { changeRequest: options.changeRequest }),
    ...(options.push?.message !== undefined && { message: options.push.message }),
    ...(row.error && { error: row.error }),
  }
}
