import { createId } from '@recto/operation'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import type { GitSyncRow } from './git-sync.entity.ts'
import { providerOf } from './git-sync.rules.ts'

/** Creates an operation of a synchronisation. It has no credentials of its own, so that those of the synchronisation can change. */
export function syncOperation(
  sync: GitSyncRow,
  { organizationId, direction }: Pick<GitOperationRow, 'organizationId' | 'direction'>,
): GitOperationRow {
  const { spaceId, url, ref, projectDirectory, commitMessage, createdBy } = sync
  const provider = providerOf(url)
  const now = new Date()
  return {
    id: createId(),
    spaceId,
    organizationId,
    syncId: sync.id,
    direction,
    state: 'queued',
    dispatched: false,
    url,
    ref,
    credentials: null,
    stage: null,
    progress: null,
    timestamp: now,
    options: {
      // The first export replaces the content of the branch; later ones write changes.
      force: direction === 'export' && sync.initial === 'export',
      standalone: false,
      ...(projectDirectory && { repoProjectDirectory: projectDirectory }),
      ...(commitMessage !== null && { commitMessage }),
      ...(provider && { gitInfo: { provider } }),
    },
    attempts: 0,
    leases: 0,
    heartbeatAt: null,
    startedAt: null,
    completedAt: null,
    createdBy,
    createdAt: now,
    revision: null,
    commit: null,
    isPartial: false,
    error: null,
    warnings: [],
  }
}
