import { gitPollCalls } from '@recto/contracts-git-worker'
import { markPublished, postpone } from '@recto/database'
import { feature } from '@recto/operation'
import { endPoll, lockSync, onAttemptFailed, onPollFinished } from './follow-sync.ts'
import * as syncs from './git-syncs.repository.ts'
import { pushSecretOf } from './push-secret.ts'
import { dispatchNext } from './queue.ts'
import { credentialsOf } from './set-sync.ts'
import type { BaseContext } from '../shared/context.ts'

/** Seconds within which a worker reports; then the job is delivered again. */
const redeliverAfterSeconds = 60

export const gitPollCallFeature = feature<BaseContext>()(gitPollCalls, {
  async getGitPushKey({ body: { spaceId } }, context) {
    return { key: pushSecretOf(await syncs.find(context.db, spaceId), context) }
  },

  async startGitPoll({ body: { syncId } }, { db, transaction, encryptionKey }) {
    const seen = await syncs.findById(db, syncId)
    const sync = await transaction(async tx => {
      const locked = seen && (await lockSync(tx, seen.spaceId))
      if (locked?.sync.id === syncId && locked.sync.pollId !== null && !locked.space.deletedAt) {
        await postpone(tx, syncId, redeliverAfterSeconds)
        return { ...locked.sync, pollId: locked.sync.pollId, organizationId: locked.space.organizationId }
      }
      if (locked?.sync.id === syncId) await endPoll(tx, locked.sync)
      await markPublished(tx, syncId)
      return undefined
    })
    if (!sync) return { state: 'done' }
    const credentials = credentialsOf(sync, encryptionKey)
    const { url, ref, pollId: poll, organizationId } = sync
    return { state: 'run', ...{ poll, url, ref, organizationId }, ...(credentials && { credentials }) }
  },

  async finishGitPoll({ body: { syncId, poll, tip, error } }, { db, transaction, gitOrganizationJobs: limit }) {
    const seen = await syncs.findById(db, syncId)
    if (!seen) return {}
    await transaction(async tx => {
      const locked = await lockSync(tx, seen.spaceId)
      // Another poll has been started since, or another synchronisation.
      if (!locked || locked.sync.id !== syncId || locked.sync.pollId !== poll) return
      await endPoll(tx, locked.sync)
      if (tip === undefined) return onAttemptFailed(tx, locked, error ?? null)
      await onPollFinished(tx, locked, tip)
      await dispatchNext(tx, seen.spaceId, { limit, isOldest: false })
    })
    return {}
  },
})
