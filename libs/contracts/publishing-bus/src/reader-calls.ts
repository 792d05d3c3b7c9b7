import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Id, Role } from '@recto/contracts-shared'

/** Calls from events and identity to publishing about who reads what happened. */
export const siteReaderCalls = operations({
  findReadableSites: {
    summary: 'Find the roles of an actor on those of these sites of an organization that they may read',
    body: z.object({ actor: Actor, organization: Id, sites: z.array(Id).max(1000) }),
    reply: z.object({ sites: z.array(z.object({ id: Id, role: Role })) }),
  },
})
