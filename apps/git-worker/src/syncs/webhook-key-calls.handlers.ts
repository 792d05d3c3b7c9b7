import { gitWorkerCalls } from '@recto/contracts-git-worker-bus'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import * as syncs from './git-syncs.repository.ts'
import { pushSecretOf } from './webhook-secret.ts'

export const pushKeyCallFeature = feature<BaseContext>()(gitWorkerCalls, {
  async getGitPushKey({ body: { spaceId } }, context) {
    return { key: pushSecretOf(await syncs.find(context.db, spaceId), context) }
  },
})
