import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { createId } from '@recto/operation'
import { headRefOf, type PullHead } from '../forges/forge.rules.ts'
import type { PullRequest } from '../forges/pull-request.rules.ts'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import { insertOperation } from '../operations/operation-records.ts'
import type { GitSpace } from '../spaces/git-spaces.ts'
import type { GitSyncRow } from '../syncs/git-sync.entity.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { syncOperation } from '../syncs/sync-operation.ts'
import type { GitPreviewRow } from './git-preview.entity.ts'
import * as previews from './git-previews.repository.ts'
import {
  changeOfPull,
  changesOfHeads,
  isRetried,
  maxOpenPreviews,
  missingIn,
  type PreviewChange,
  sinceOf,
} from './pull-requests.rules.ts'
import { recordStatuses } from './record-statuses.ts'

/** A locked synchronisation of a space, whose pull requests are previewed. */
export interface PreviewedSync {
  sync: GitSyncRow
  space: { organizationId: string; publication?: GitSpace['publication'] }
}

/** The pull requests of a repository: their heads, and the open ones, where the forge lists them. */
export interface RepositoryPulls {
  heads: PullHead[]
  open?: { pulls: PullRequest[]; isComplete: boolean }
  /** Whether everybody may read the repository; absent where it was not tried. */
  isPublic?: boolean
}

/** Follows the pull requests that a look at the repository found, and enqueues the import of one, which the caller dispatches. */
export async function followPulls(tx: Transaction, followed: PreviewedSync, pulls: RepositoryPulls): Promise<void> {
  const { sync, space } = followed
  if (!sync.previews) return
  const since = sinceOf(sync.previews, pulls.heads)
  const settings = {
    ...sync.previews,
    since,
    ...(pulls.isPublic !== undefined && { isRepositoryPublic: pulls.isPublic }),
  }
  await syncs.update(tx, sync, { previews: settings })
  await previews.requeueLost(tx, sync.id)
  for (const pull of pulls.open?.pulls ?? []) await followPull(tx, followed, pull)
  if (pulls.open?.isComplete) await closeMissing(tx, followed, pulls.open.pulls)
  for (const change of changesOfHeads(await previews.lockAll(tx, sync.id), pulls.heads, since))
    await applyChange(tx, followed, { change })
  const siteUrl = space.publication?.url ?? null
  for (const preview of await previews.lockAll(tx, sync.id)) {
    const changes = {
      ...(preview.siteUrl !== siteUrl && { siteUrl }),
      ...(isRetried(preview, new Date()) && { step: 'import' as const }),
    }
    if (Object.keys(changes).length > 0) await updatePreview(tx, sync, { preview, changes })
  }
  await startNextImport(tx, followed)
}

/** Follows the description of a pull request; returns what it changes. */
export async function followPull(
  tx: Transaction,
  followed: PreviewedSync,
  pull: PullRequest,
): Promise<PreviewChange['kind'] | 'nothing' | 'outdated'> {
  const { sync } = followed
  const branch = sync.ref.replace(/^refs\/heads\//, '')
  const preview = await previews.lockNumbered(tx, sync.id, pull.number)
  const change = changeOfPull(preview, pull, branch)
  if (change === 'outdated') return change
  const { title, url, changedAt } = pull
  if (preview) await previews.update(tx, preview.id, { title, url, changedAt, updatedAt: preview.updatedAt })
  if (change === 'nothing') return change
  await applyChange(tx, followed, { change, description: { title, url, changedAt } })
  return change.kind
}

async function closeMissing(tx: Transaction, followed: PreviewedSync, open: readonly PullRequest[]): Promise<void> {
  const numbers = new Set(open.map(({ number }) => number))
  const newest = Math.max(0, ...numbers)
  for (const number of missingIn(await previews.lockAll(tx, followed.sync.id), numbers, newest))
    await applyChange(tx, followed, { change: { kind: 'close', number, state: 'closed' } })
}

interface AppliedChange {
  change: PreviewChange
  description?: Pick<GitPreviewRow, 'title' | 'url' | 'changedAt'>
}

async function applyChange(
  tx: Transaction,
  followed: PreviewedSync,
  { change, description }: AppliedChange,
): Promise<void> {
  const { sync, space } = followed
  const preview = await previews.lockNumbered(tx, sync.id, change.number)
  if (change.kind === 'close') return preview && closePreview(tx, sync, { preview, state: change.state })
  if (change.kind !== 'move' && (await previews.countOpen(tx, sync.id)) >= maxOpenPreviews) return
  if (!preview) {
    const row = { ...newPreview(followed, change), ...description }
    await previews.insert(tx, row)
    return recordStatuses(tx, sync, row)
  }
  const { head } = change
  const changes: Partial<GitPreviewRow> = {
    state: 'open',
    head,
    step: head === null ? 'idle' : preview.step === 'importing' ? 'importing' : 'import',
    isTaken: false,
    dueAt: null,
    siteUrl: space.publication?.url ?? null,
  }
  await updatePreview(tx, sync, { preview, changes })
}

function newPreview(
  { sync, space }: PreviewedSync,
  { number, head }: { number: number; head: string | null },
): GitPreviewRow {
  const now = new Date()
  return {
    id: createId(),
    spaceId: sync.spaceId,
    syncId: sync.id,
    organizationId: space.organizationId,
    number,
    key: createId(),
    state: 'open',
    title: null,
    url: null,
    changedAt: null,
    head,
    step: head === null ? 'idle' : 'import',
    operationId: null,
    commit: null,
    revision: null,
    error: null,
    report: null,
    siteUrl: space.publication?.url ?? null,
    dueAt: null,
    isTaken: false,
    lease: 0,
    attempts: 0,
    createdAt: now,
    updatedAt: now,
  }
}

/** Changes a preview, and the statuses of its commits with it. */
export async function updatePreview(
  tx: Transaction,
  sync: GitSyncRow,
  { preview, changes }: { preview: GitPreviewRow; changes: Partial<GitPreviewRow> },
): Promise<void> {
  await previews.update(tx, preview.id, changes)
  await recordStatuses(tx, sync, { ...preview, ...changes })
}

/** Ends a preview: its address leads nowhere from now on. */
export async function closePreview(
  tx: Transaction,
  sync: GitSyncRow,
  { preview, state }: { preview: GitPreviewRow; state: 'merged' | 'closed' | 'ended' },
): Promise<void> {
  const changes = { state, step: 'idle' as const, dueAt: null, isTaken: false }
  await updatePreview(tx, sync, { preview, changes })
  const { organizationId: organization, spaceId: space, number } = preview
  if (state !== 'ended') tx.record(recorded('git.preview.closed', { organization, space, details: { number, state } }))
}

/**
 * Enqueues the import of the preview that has waited longest, which the caller dispatches. At most one of a synchronisation is open, so that
 * many pull requests do not keep the branch itself waiting.
 */
export async function startNextImport(tx: Transaction, { sync, space }: PreviewedSync): Promise<void> {
  if (!sync.previews) return
  const preview = await previews.nextToImport(tx, sync.id)
  if (!preview) return
  const operation = syncOperation(sync, { organizationId: space.organizationId, direction: 'import' })
  const { options } = operation
  const importOperation: GitOperationRow = {
    ...operation,
    ref: headRefOf(sync.previews.forge, preview.number),
    options: {
      ...options,
      standalone: true,
      preview: preview.id,
      ...(preview.head !== null && { head: preview.head }),
    },
  }
  await insertOperation(tx, importOperation)
  await previews.update(tx, preview.id, { step: 'importing', operationId: operation.id })
}
