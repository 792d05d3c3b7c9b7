import { operations } from '@recto/operation'
import { z } from 'zod'

/** Calls from the gateway and from publishing to git-worker. */
export const gitWorkerCalls = operations({
  getGitPushKey: {
    summary: 'Get the key that signs webhooks of a space, for one that is hashed while it arrives',
    body: z.object({ spaceId: z.string() }),
    reply: z.object({ key: z.string().describe('Of no use where the space is not synchronised') }),
  },
  findGitPreview: {
    summary: 'Find the revision that the address of a pull request shows; nothing where there is none any more',
    body: z.object({
      spaceId: z.string(),
      key: z.string().describe('The part of the address that nobody guesses'),
      isPublicSite: z.boolean().describe('Whether everybody may read the site'),
    }),
    reply: z.object({
      revision: z.string().optional(),
      base: z.string().optional().describe('The revision of the commit that it began from, where both are known'),
      isOpen: z.boolean().describe('Whether whoever knows the address may read it'),
    }),
  },
})
