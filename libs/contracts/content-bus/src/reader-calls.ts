import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Id, Role } from '@recto/contracts-shared'

const Roles = z.array(z.object({ id: Id, role: Role }))

/** Calls from events and identity to content about who reads what happened. */
export const readerCalls = operations({
  findReadable: {
    summary:
      'Find the roles of an actor on those of these spaces and collections that they may read; deleted ones are left out',
    body: z.object({
      actor: Actor,
      organization: Id,
      spaces: z.array(Id).max(1000),
      collections: z.array(Id).max(1000),
    }),
    reply: z.object({ spaces: Roles, collections: Roles }),
  },
})
