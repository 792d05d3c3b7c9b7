import type { gitSync } from '@recto/contracts-git-worker'
import type { Db } from '@recto/database'
import type { Output } from '@recto/operation'
import * as operations from '../operations/git-operations.repository.ts'
import type { GitSyncRow } from './git-sync.entity.ts'
import { presentOperation } from '../operations/present-operation.ts'
import type { GitSpace } from '../spaces/git-spaces.ts'
import { stateOf } from './git-sync.rules.ts'

/** Presents a synchronisation; the secret of its webhook is included only when it has just been generated. */
export async function presentSync(
  db: Db,
  { space, sync, generated }: { space: GitSpace; sync: GitSyncRow; generated?: string },
  publicUrl: string,
): Promise<Output<typeof gitSync.getGitSync>> {
  const lastImport = await operations.latestOf(db, sync.id, 'import')
  const lastExport = await operations.latestOf(db, sync.id, 'export')
  const isBusy = await operations.isOpenOf(db, sync.id)
  return {
    object: 'git-sync',
    url: sync.url,
    ref: sync.ref,
    direction: sync.direction,
    pollInterval: sync.pollInterval,
    ...(sync.projectDirectory && { repoProjectDirectory: sync.projectDirectory }),
    ...(sync.commitMessage !== null && { commitMessageTemplate: sync.commitMessage }),
    hasCredentials: sync.credentials !== null,
    ...(sync.previews && {
      previews: {
        forge: sync.previews.forge,
        apiUrl: sync.previews.apiUrl,
        ...(sync.previews.access && { access: sync.previews.access }),
        hasStatusToken: sync.statusToken !== null,
        ...(sync.previews.since !== null && { since: sync.previews.since }),
      },
    }),
    webhook: {
      url: `${publicUrl}/v1/spaces/${sync.spaceId}/git/webhook`,
      ...(generated !== undefined && { secret: generated }),
    },
    state: stateOf(sync, { isDeleted: space.isDeleted, isBusy }),
    ...(sync.initial && { initial: sync.initial }),
    ...(sync.syncedCommit !== null && { commit: sync.syncedCommit }),
    ...(sync.syncedRevision !== null && { revision: sync.syncedRevision }),
    ...(lastImport && { lastImport: presentOperation(lastImport) }),
    ...(lastExport && { lastExport: presentOperation(lastExport) }),
    ...(sync.error && { lastError: sync.error }),
    failures: sync.failures,
    ...(sync.dueAt && !space.isDeleted && { nextPollAt: sync.dueAt.toISOString() }),
    createdBy: sync.createdBy,
    createdAt: sync.createdAt.toISOString(),
    updatedAt: sync.updatedAt.toISOString(),
  }
}
