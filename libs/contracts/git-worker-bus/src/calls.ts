import { operations } from '@recto/operation'
import { z } from 'zod'

/** Calls from the gateway to git-worker. */
export const gitWorkerCalls = operations({
  getGitPushKey: {
    summary: 'Get the key that signs webhooks of a space, for one that is hashed while it arrives',
    body: z.object({ spaceId: z.string() }),
    reply: z.object({ key: z.string().describe('Of no use where the space is not synchronised') }),
  },
})
