import type { Transaction } from '@recto/database'
import type { GitSyncRow } from '../syncs/git-sync.entity.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { closePreview, type PreviewedSync, startNextImport, updatePreview } from './follow-previews.ts'
import * as previews from './git-previews.repository.ts'
import * as statuses from './git-statuses.repository.ts'
import { recordStatuses } from './record-statuses.ts'

/** Follows changed settings of a synchronisation: previews end or come back with them, and a new token gets all statuses. */
export async function followSettings(
  tx: Transaction,
  followed: PreviewedSync,
  before: GitSyncRow | undefined,
): Promise<void> {
  const { sync } = followed
  if (before && before.id !== sync.id) await deletePreviews(tx, sync.spaceId, sync.id)
  for (const preview of await previews.lockAll(tx, sync.id)) {
    const { state, head } = preview
    if (!sync.previews && state === 'open') await closePreview(tx, sync, { preview, state: 'ended' })
    if (!sync.previews) continue
    const back = { state: 'open' as const, step: head === null ? ('idle' as const) : ('import' as const) }
    if (state === 'ended') await updatePreview(tx, sync, { preview, changes: back })
    else await recordStatuses(tx, sync, preview)
  }
  await statuses.retryAll(tx, sync.spaceId)
  // The first look says which pull requests are new from then on.
  if (sync.previews?.since === null) await syncs.update(tx, sync, { recheck: true })
  await startNextImport(tx, followed)
}

/** Deletes the previews of a space and the statuses of their commits, except those of one synchronisation. */
export async function deletePreviews(tx: Transaction, spaceId: string, exceptSyncId?: string): Promise<void> {
  await previews.deleteOf(tx, spaceId, exceptSyncId)
  const others = exceptSyncId === undefined ? [] : await previews.lockAll(tx, exceptSyncId)
  const ids = others.map(({ id }) => id)
  await statuses.deleteOf(tx, spaceId, ids)
}
