import type { GitCredentials } from '@recto/contracts-git-worker-bus'
import { type Db, markPublished, postpone } from '@recto/database'
import type { Secrets } from '@recto/operation'
import type { RunTransaction } from '@recto/service'
import type { z } from 'zod'
import { dispatchNext } from '../queue/queue.ts'
import type { ContentCalls } from '../shared/context.ts'
import { findGitSpace } from '../spaces/git-spaces.ts'
import { endPoll, lockSync, onAttemptFailed, onPollFinished } from '../syncs/follow-sync.ts'
import type { GitSyncRow } from '../syncs/git-sync.entity.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { credentialsOf } from '../syncs/set-sync.ts'

/** A branch to look at. */
export interface Branch {
  syncId: string
  spaceId: string
  /** Of the look at the branch. */
  poll: string
  organizationId: string
  /** Without credentials and query. */
  url: string
  credentials?: z.output<typeof GitCredentials>
  ref: string
}

/** The commit that a branch is at, or why that could not be found out. */
export type PollResult = { tip: string } | { error: NonNullable<GitSyncRow['error']> }

/** The looks at the branches of synchronisations. */
export interface Polls {
  /** The branch to look at; undefined when it is not wanted any more. */
  start(syncId: string): Promise<Branch | undefined>
  finish(branch: Pick<Branch, 'syncId' | 'spaceId' | 'poll'>, result: PollResult): Promise<void>
}

interface PollStore {
  db: Db
  transaction: RunTransaction
  content: ContentCalls
  encryptionKey: Secrets
  /** Operations of an organization that may be at work. */
  gitOrganizationJobs: number
}

/** Seconds within which a worker reports; then the job is delivered again. */
const redeliverAfterSeconds = 60

/** Creates the looks at the branches of the synchronisations in the database. */
export function createPolls(store: PollStore): Polls {
  return { start: syncId => start(syncId, store), finish: (branch, result) => finish(branch, result, store) }
}

async function start(
  syncId: string,
  { db, transaction, content, encryptionKey }: PollStore,
): Promise<Branch | undefined> {
  const seen = await syncs.findById(db, syncId)
  const space = seen && (await findGitSpace(content, seen.spaceId))
  const sync = await transaction(async tx => {
    const locked = seen && (await lockSync(tx, seen.spaceId))
    const isSame = locked?.id === syncId
    if (isSame && locked.pollId !== null && space && !space.isDeleted) {
      await postpone(tx, syncId, redeliverAfterSeconds)
      return { ...locked, pollId: locked.pollId }
    }
    if (isSame) await endPoll(tx, locked)
    await markPublished(tx, syncId)
    return undefined
  })
  if (!sync || !space) return undefined
  const credentials = credentialsOf(sync, encryptionKey)
  const { url, ref, spaceId, pollId: poll } = sync
  const { organizationId } = space
  return { ...{ syncId, spaceId, poll, url, ref, organizationId }, ...(credentials && { credentials }) }
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
    // Another poll has been started since, or another synchronisation.
    if (sync?.id !== syncId || sync.pollId !== poll) return
    await endPoll(tx, sync)
    if ('error' in result) return onAttemptFailed(tx, sync, result.error)
    await onPollFinished(tx, { space, sync }, result.tip)
    await dispatchNext(tx, spaceId, { limit, isOldest: false })
  })
}
