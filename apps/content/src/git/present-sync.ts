import type { gitSync } from '@recto/contracts-git-worker'
import type { Db } from '@recto/database'
import type { Output } from '@recto/operation'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as operations from './git-operations.repository.ts'
import type { GitSyncRow } from './git-sync.entity.ts'
import { stateOf } from './git-sync.rules.ts'
import { presentOperation } from './present-operation.ts'

/** A synchronisation as the API shows it; the secret of its webhook only when it has just been generated. */
export async function presentSync(
  db: Db,
  { space, sync, generated }: { space: SpaceRow; sync: GitSyncRow; generated?: string },
  publicUrl: string,
): Promise<Output<typeof gitSync.getGitSync>> {
  const lastImport = await operations.latestOf(db, sync.id, 'import')
  const lastExport = await operations.latestOf(db, sync.id, 'export')
  const isBusy = await operations.isOpenOf(db, sync.id)
  return {
    object: 'git-sync',
    ...{ url: sync.url, ref: sync.ref, direction: sync.direction, pollInterval: sync.pollInterval },
    ...(sync.projectDirectory && { repoProjectDirectory: sync.projectDirectory }),
    ...(sync.commitMessage !== null && { commitMessageTemplate: sync.commitMessage }),
    hasCredentials: sync.credentials !== null,
    webhook: {
      url: `${publicUrl}/v1/spaces/${space.id}/git/webhook`,
      ...(generated !== undefined && { secret: generated }),
    },
    state: stateOf(sync, { isDeleted: space.deletedAt !== null, isBusy }),
    ...(sync.initial && { initial: sync.initial }),
    ...(sync.syncedCommit !== null && { commit: sync.syncedCommit }),
    ...(sync.syncedRevision !== null && { revision: sync.syncedRevision }),
    ...(lastImport && { lastImport: presentOperation(lastImport) }),
    ...(lastExport && { lastExport: presentOperation(lastExport) }),
    ...(sync.error && { lastError: sync.error }),
    failures: sync.failures,
    ...(sync.dueAt && !space.deletedAt && { nextPollAt: sync.dueAt.toISOString() }),
    ...{ createdBy: sync.createdBy, createdAt: sync.createdAt.toISOString(), updatedAt: sync.updatedAt.toISOString() },
  }
}
