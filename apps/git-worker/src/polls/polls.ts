import type { GitCredentials } from '@recto/contracts-git-worker-bus'
import { recorded } from '@recto/contracts-shared'
import { type Db, markPublished, postpone, type Transaction } from '@recto/database'
import type { Secrets } from '@recto/operation'
import type { RunTransaction } from '@recto/service'
import type { z } from 'zod'
import { dispatchNext } from '../queue/queue.ts'
import type { ContentCalls } from '../shared/context.ts'
import { followPulls, type RepositoryPulls } from '../previews/follow-previews.ts'
import { findGitSpace } from '../spaces/git-spaces.ts'
import { endPoll, lockSync, onAttemptFailed, onPollFinished } from '../syncs/follow-sync.ts'
import type { GitSyncRow } from '../syncs/git-sync.entity.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { statusApiOf } from '../syncs/preview-settings.ts'
import { credentialsOf } from '../syncs/set-sync.ts'
import type { PullSource } from './find-pulls.ts'

/** A branch to poll. */
export interface Branch {
  syncId: string
  spaceId: string
  /** Id of the poll. */
  poll: string
  organizationId: string
  /** Without credentials and query. */
  url: string
  credentials?: z.output<typeof GitCredentials>
  ref: string
  /** How pull requests of the repository are found; absent where they are not previewed. */
  pulls?: PullSource
}

/** The tip of a branch, or why it could not be read. */
export type PollResult = { tip: string; pulls?: RepositoryPulls } | { error: NonNullable<GitSyncRow['error']> }

/** Polls of the branches of synchronisations, for workers. */
export interface Polls {
  /** Starts a poll; undefined when it is not needed any more. */
  start(syncId: string): Promise<Branch | undefined>
  finish(branch: Pick<Branch, 'syncId' | 'spaceId' | 'poll'>, result: PollResult): Promise<void>
}

interface PollStore {
  db: Db
  transaction: RunTransaction
  content: ContentCalls
  encryptionKey: Secrets
  /** Limit on the running operations of an organization. */
  gitOrganizationJobs: number
}

/** Seconds within which a worker must report, before the job is delivered again. */
const redeliverAfterSeconds = 60

/** Creates the polls of the synchronisations in the database. */
export function createPolls(store: PollStore): Polls {
  return { start: syncId => start(syncId, store), finish: (branch, result) => finish(branch, result, store) }
}

async function start(
  syncId: string,
  { db, transaction, content, encryptionKey }: PollStore,
): Promise<Branch | undefined> {
  const unlockedSync = await syncs.findById(db, syncId)
  const space = unlockedSync && (await findGitSpace(content, unlockedSync.spaceId))
  const sync = await transaction(async tx => {
    const current = unlockedSync && (await lockSync(tx, unlockedSync.spaceId))
    const isSame = current?.id === syncId
    if (isSame && current.pollId !== null && space && !space.isDeleted) {
      await postpone(tx, syncId, redeliverAfterSeconds)
      return { ...current, pollId: current.pollId }
    }
    if (isSame) await endPoll(tx, current)
    await markPublished(tx, syncId)
    return undefined
  })
  if (!sync || !space) return undefined
  const credentials = credentialsOf(sync, encryptionKey)
  const { url, ref, spaceId, pollId: poll } = sync
  const { organizationId } = space
  const pulls = sync.previews && { ...sync.previews, url, token: statusApiOf(sync, encryptionKey)?.token ?? null }
  const optional = { ...(credentials && { credentials }), ...(pulls && { pulls }) }
  return { syncId, spaceId, poll, url, ref, organizationId, ...optional }
}

async function finish(
  { syncId, spaceId, poll }: Pick<Branch, 'syncId' | 'spaceId' | 'poll'>,
  result: PollResult,
  { transaction, content, gitOrganizationJobs: limit }: PollStore,
): Promise<void> {
  const space = await findGitSpace(content, spaceId)
  if (!space) return
  await transaction(async tx => {
    const sync = await lockSync(tx, spaceId)
    // The report is late: another poll or synchronisation has started since.
    if (sync?.id !== syncId || sync.pollId !== poll) return
    await endPoll(tx, sync)
    if ('error' in result) {
      const { organizationId: organization } = space
      if (sync.failures === 0) recordFailure(tx, { organization, space: spaceId }, result.error.code)
      return onAttemptFailed(tx, sync, result.error)
    }
    if (result.pulls && !space.isDeleted) await followPulls(tx, { space, sync }, result.pulls)
    await onPollFinished(tx, { space, sync }, result.tip)
    await dispatchNext(tx, spaceId, { limit, isOldest: false })
  })
}

/** Records the first of failures in a row. */
function recordFailure(tx: Transaction, place: { organization: string; space: string }, code: string): void {
  tx.record(recorded('git.poll.failed', { ...place, details: { code } }))
}
