import { roleForbids } from '@recto/actor'
import { gitSync } from '@recto/contracts-git-worker'
import { markPublished, type Transaction } from '@recto/database'
import { Failure, feature } from '@recto/operation'
import { readableSpace } from '../spaces/readable-space.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import { requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { lockSync, requestPoll } from './follow-sync.ts'
import { gitSyncOf } from './git-operations.rules.ts'
import type { GitSyncRow } from './git-sync.entity.ts'
import * as syncs from './git-syncs.repository.ts'
import { presentSync } from './present-sync.ts'
import { pushSecretOf } from './push-secret.ts'
import { matchesSignature, readEvent, readPush, signatureOf } from './push-webhook.rules.ts'
import { saveSync } from './set-sync.ts'
import { resumeSync } from './sync-schedule.ts'
import { syncOperation } from './sync-operation.ts'

export const gitSyncFeature = feature<BaseContext>()(gitSync, {
  async setGitSync({ params, body }, context) {
    const saved = await context.transaction(async tx => {
      const space = await lockForSetUp(tx, params.spaceId, context)
      const { sync, generated } = await saveSync(tx, { space, settings: body }, context)
      const shown = gitSyncOf(
        syncOperation(sync, { organizationId: space.organizationId, direction: 'import' }),
        sync.updatedAt,
      )
      await spaces.showGitSync(tx, space.id, shown)
      await resumeSync(tx, space.id, context.gitOrganizationJobs)
      return { space, ...(generated !== undefined && { generated }) }
    })
    return presentSync(context.db, { ...saved, sync: await syncOf(saved.space, context) }, context.publicUrl)
  },

  async getGitSync({ params }, context) {
    const { space, role } = await readableSpace(context, params.spaceId)
    if (!spaceCan.triggerGitSync(role)) throw roleForbids(role)
    return presentSync(context.db, { space, sync: await syncOf(space, context) }, context.publicUrl)
  },

  async deleteGitSync({ params }, context) {
    await context.transaction(async tx => {
      const space = await lockForSetUp(tx, params.spaceId, context)
      const sync = await syncs.lock(tx, space.id)
      if (!sync) return
      await syncs.remove(tx, space.id)
      await spaces.showGitSync(tx, space.id, null)
      await markPublished(tx, sync.id)
    })
    return undefined
  },

  async receiveGitPush({ params, headers, raw, signature }, context) {
    const sync = await syncs.find(context.db, params.spaceId)
    const secret = pushSecretOf(sync, context)
    const isSigned = matchesSignature(secret, headers, signature ?? signatureOf(secret, raw))
    // One reply for both, so that nobody learns which spaces are synchronised.
    if (!sync || !isSigned)
      throw new Failure('unauthenticated', 'The signature of the webhook is missing, or does not match its secret')
    const ignored = (message: string) => ({ object: 'git-webhook' as const, started: false, message })
    if (sync.direction === 'export') return ignored('The space is only exported to the repository')
    // A webhook that is too large is not read: the branch itself says whether it moved.
    const push = signature === undefined ? readPush(headers, raw, sync.ref) : readEvent(headers)
    if (push && 'ignored' in push) return ignored(push.ignored)
    if (push && push.commit === sync.syncedCommit) return ignored('This commit is synchronised already')
    const isDeleted = await context.transaction(tx => lookAt(tx, sync))
    if (isDeleted) return ignored('The space is deleted')
    return { object: 'git-webhook', started: true, message: 'The branch is looked at' }
  },
})

async function lookAt(tx: Transaction, { spaceId, id }: GitSyncRow): Promise<boolean> {
  const locked = await lockSync(tx, spaceId)
  if (!locked || locked.space.deletedAt) return true
  if (locked.sync.id === id) await requestPoll(tx, locked.sync)
  return false
}

async function lockForSetUp(tx: Transaction, spaceId: string, context: Context): Promise<SpaceRow> {
  await spaces.lock(tx, spaceId)
  const readable = await readableSpace({ ...context, db: tx }, spaceId)
  requireWrite(readable, spaceCan.triggerGitSync)
  return readable.space
}

async function syncOf(space: SpaceRow, { db }: Context): Promise<GitSyncRow> {
  const sync = await syncs.find(db, space.id)
  if (!sync) throw new Failure('not_found', 'The space is not synchronised with a repository')
  return sync
}
