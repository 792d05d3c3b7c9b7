import { gitSync } from '@recto/contracts-git-worker'
import { recorded } from '@recto/contracts-shared'
import { markPublished, type Transaction } from '@recto/database'
import { Failure, feature, type Output } from '@recto/operation'
import type { PullRequest } from '../forges/pull-request.rules.ts'
import { gitSyncOf } from '../operations/git-operations.rules.ts'
import { resumeSync } from '../polls/sync-schedule.ts'
import { followPull } from '../previews/follow-previews.ts'
import { deletePreviews, followSettings } from '../previews/follow-settings.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { findGitSpace, requireGitSpace } from '../spaces/git-spaces.ts'
import { lockSpace } from '../spaces/space-lock.repository.ts'
import { lockSync, requestPoll } from './follow-sync.ts'
import type { GitSyncRow } from './git-sync.entity.ts'
import * as syncs from './git-syncs.repository.ts'
import { presentSync } from './present-sync.ts'
import { signingSecretOf } from './webhook-secret.ts'
import { matchesSignature, readEvent, readPush, signatureOf } from './webhook.rules.ts'
import { saveSync } from './set-sync.ts'
import { syncOperation } from './sync-operation.ts'

export const gitSyncFeature = feature<BaseContext>()(gitSync, {
  async setGitSync({ params: { spaceId }, body }, context) {
    const space = await requireGitSpace(spaceId, 'change', context)
    const result = await context.transaction(async tx => {
      await lockSpace(tx, spaceId)
      const { sync, before, generated, changed } = await saveSync(tx, { spaceId, settings: body }, context)
      const details = { direction: sync.direction, fields: changed }
      const { organizationId: organization } = space
      if (changed.length > 0) tx.record(recorded('git.sync.updated', { organization, space: spaceId, details }))
      await followSettings(tx, { sync, space }, before)
      await resumeSync(tx, { space, sync }, context.gitOrganizationJobs)
      return { sync, ...(generated !== undefined && { generated }) }
    })
    await showRepository(result.sync, space.organizationId, context)
    return presentSync(context.db, { space, ...result, sync: await syncOf(spaceId, context) }, context.publicUrl)
  },

  async getGitSync({ params: { spaceId } }, context) {
    const space = await requireGitSpace(spaceId, 'manage', context)
    return presentSync(context.db, { space, sync: await syncOf(spaceId, context) }, context.publicUrl)
  },

  async deleteGitSync({ params: { spaceId } }, context) {
    const { organizationId: organization } = await requireGitSpace(spaceId, 'change', context)
    if (!(await syncs.find(context.db, spaceId))) return undefined
    // Content goes first, so that a repeated request removes the repository from the space, too.
    await context.content.showGitRepository({ body: { spaceId, repository: null } })
    await context.transaction(async tx => {
      const sync = await lockSync(tx, spaceId)
      if (!sync) return
      await syncs.remove(tx, spaceId)
      await deletePreviews(tx, spaceId)
      await markPublished(tx, sync.id)
      tx.record(recorded('git.sync.removed', { organization, space: spaceId }))
    })
    return undefined
  },

  async receiveGitPush({ params, headers, raw, signature }, context) {
    const sync = await syncs.find(context.db, params.spaceId)
    const secret = signingSecretOf(sync, context)
    const isSigned = matchesSignature(secret, headers, signature ?? signatureOf(secret, raw))
    // Both cases get the same reply, so that nobody learns which spaces are synchronised.
    if (!sync || !isSigned)
      throw new Failure('unauthenticated', 'The signature of the webhook is missing, or does not match its secret')
    const ignored = (message: string) => ({ object: 'git-webhook' as const, started: false, message })
    if (sync.direction === 'export') return ignored('The space is only exported to the repository')
    // The body of a large webhook is not read: the poll finds out whether the branch moved.
    const push = signature === undefined ? readPush(headers, raw, sync.ref) : readEvent(headers)
    if (push && 'pull' in push) return receivePull(push.pull, { sync, context })
    if (push && 'ignored' in push) return ignored(push.ignored)
    if (push && push.commit === sync.syncedCommit) return ignored('This commit is synchronised already')
    const space = await findGitSpace(context.content, params.spaceId)
    if (!space || space.isDeleted) return ignored('The space is deleted')
    await context.transaction(tx => requestPollOf(tx, sync))
    return { object: 'git-webhook', started: true, message: 'The branch is looked at' }
  },
})

/** Follows the pull request of a webhook: its end at once, and its head by a look at the repository. */
async function receivePull(
  pull: PullRequest | undefined,
  { sync, context }: { sync: GitSyncRow; context: BaseContext },
): Promise<Output<typeof gitSync.receiveGitPush>> {
  const answer = (started: boolean, message: string) => ({ object: 'git-webhook' as const, started, message })
  if (!sync.previews) return answer(false, 'Pull requests are not previewed')
  const space = await findGitSpace(context.content, sync.spaceId)
  if (!space || space.isDeleted) return answer(false, 'The space is deleted')
  return context.transaction(async tx => {
    const current = await lockSync(tx, sync.spaceId)
    if (current?.id !== sync.id || !current.previews) return answer(false, 'Pull requests are not previewed')
    const change = pull && (await followPull(tx, { sync: current, space }, pull))
    if (change === 'outdated') return answer(false, 'A later state of the pull request is known')
    if (change === 'close') return answer(true, 'The preview has ended')
    if (pull && pull.state !== 'open') return answer(false, 'The pull request is not open, and has no preview')
    await requestPoll(tx, current)
    return answer(true, 'The pull request is looked at')
  })
}

async function requestPollOf(tx: Transaction, { spaceId, id }: GitSyncRow): Promise<void> {
  const current = await lockSync(tx, spaceId)
  if (current?.id === id) await requestPoll(tx, current)
}

/** Has the space show the repository, after the commit. When content fails, the idempotency key is released, so that the request can be repeated. */
async function showRepository(sync: GitSyncRow, organizationId: string, context: Context): Promise<void> {
  const operation = syncOperation(sync, { organizationId, direction: 'import' })
  const repository = gitSyncOf(operation, sync.updatedAt)
  try {
    await context.content.showGitRepository({ body: { spaceId: sync.spaceId, repository } })
  } catch (error) {
    await context.releaseKey()
    throw error
  }
}

async function syncOf(spaceId: string, { db }: Pick<Context, 'db'>): Promise<GitSyncRow> {
  const sync = await syncs.find(db, spaceId)
  if (!sync) throw new Failure('not_found', 'The space is not synchronised with a repository')
  return sync
}
