import { operations } from '@recto/operation'
import { z } from 'zod'
import { Id } from '@recto/contracts-shared'

/** Calls from the gateway, which stores the bytes of uploads. */
export const uploadCalls = operations({
  completeUpload: {
    summary: 'Record that the bytes of an upload are in the blob store',
    body: z.object({ key: Id, hash: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().min(0) }),
    reply: z.object({}),
    errors: ['not_found'],
  },
})
