import { operations } from '@recto/operation'
import { z } from 'zod'
import { Url } from '@recto/contracts-shared'

/** Calls from the gateway to content about URLs of the application. */
export const publicAddressCalls = operations({
  findPublicAddress: {
    summary: 'Find where everybody can read the space or page of a URL of the application; nothing where they cannot',
    body: z.object({ url: Url }),
    reply: z.object({ address: Url.optional() }),
  },
})
