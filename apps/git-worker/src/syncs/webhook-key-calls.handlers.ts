import { gitWorkerCalls } from '@recto/contracts-git-worker-bus'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import * as syncs from './git-syncs.repository.ts'
import { signingSecretOf } from './webhook-secret.ts'

export const webhookKeyCallFeature = feature<BaseContext>()(gitWorkerCalls, {
  async getGitPushKey({ body: { spaceId } }, context) {
    return { key: signingSecretOf(await syncs.find(context.db, spaceId), context) }
  },
})
