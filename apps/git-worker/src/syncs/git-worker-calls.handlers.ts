import { gitWorkerCalls } from '@recto/contracts-git-worker-bus'
import { feature } from '@recto/operation'
import * as operations from '../operations/git-operations.repository.ts'
import * as previews from '../previews/git-previews.repository.ts'
import { isOpenTo } from '../previews/pull-requests.rules.ts'
import type { BaseContext } from '../shared/context.ts'
import * as syncs from './git-syncs.repository.ts'
import { signingSecretOf } from './webhook-secret.ts'

export const gitWorkerCallFeature = feature<BaseContext>()(gitWorkerCalls, {
  async getGitPushKey({ body: { spaceId } }, context) {
    return { key: signingSecretOf(await syncs.find(context.db, spaceId), context) }
  },

  async findGitPreview({ body: { spaceId, key, isPublicSite } }, { db }) {
    const preview = await previews.findByKey(db, spaceId, key)
    const sync = await syncs.find(db, spaceId)
    if (!preview || preview.revision === null || !sync?.previews || sync.id !== preview.syncId) return { isOpen: false }
    const { revision, report } = preview
    const base = report?.base && (await operations.revisionOfCommit(db, { syncId: sync.id, commit: report.base }))
    return { revision, ...(base !== undefined && { base }), isOpen: isOpenTo(sync.previews, isPublicSite) }
  },
})
