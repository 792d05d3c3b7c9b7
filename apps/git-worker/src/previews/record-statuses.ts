import type { Transaction } from '@recto/database'
import type { GitSyncRow } from '../syncs/git-sync.entity.ts'
import { type CommitStatus, statusOf } from './commit-status.rules.ts'
import type { GitPreviewRow } from './git-preview.entity.ts'
import type { GitStatusRow } from './git-status.entity.ts'
import * as statuses from './git-statuses.repository.ts'
import { addressOf } from './preview-address.rules.ts'

/** Writes the statuses of a preview's commits that its state changes, in the transaction of the change; without a token there are none. */
export async function recordStatuses(
  tx: Transaction,
  { statusToken }: Pick<GitSyncRow, 'statusToken'>,
  preview: GitPreviewRow,
): Promise<void> {
  if (statusToken === null) return
  const rows = await statuses.listOf(tx, preview.id)
  const commits = new Set([...rows.map(({ commit }) => commit), ...(preview.head === null ? [] : [preview.head])])
  const facts = { ...preview, address: addressOf(preview) ?? null }
  for (const commit of commits) {
    const row = rows.find(each => each.commit === commit)
    // A pull request that ended before any status was shown has none.
    if (!row && preview.state !== 'open') continue
    const status = statusOf(facts, commit, row?.state === 'pending')
    if (!status || (row && isSame(row, status))) continue
    const { id: previewId, spaceId } = preview
    await statuses.save(tx, { previewId, spaceId, commit, row }, status)
  }
}

function isSame(row: GitStatusRow, status: CommitStatus): boolean {
  return row.state === status.state && row.description === status.description && row.targetUrl === status.targetUrl
}
