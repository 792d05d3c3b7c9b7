import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Id } from '@recto/contracts-shared'

/** Calls from events to content about who reads what happened. */
export const readerCalls = operations({
  findReadable: {
    summary:
      'Find which of these spaces and collections of an organization an actor may read; deleted ones are left out',
    body: z.object({
      actor: Actor,
      organization: Id,
      spaces: z.array(Id).max(1000),
      collections: z.array(Id).max(1000),
    }),
    reply: z.object({ spaces: z.array(Id), collections: z.array(Id) }),
  },
})
