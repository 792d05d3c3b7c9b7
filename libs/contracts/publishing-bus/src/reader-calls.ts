import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Id } from '@recto/contracts-shared'

/** Calls from events to publishing about who reads what happened. */
export const siteReaderCalls = operations({
  findReadableSites: {
    summary: 'Find which of these sites of an organization an actor may read',
    body: z.object({ actor: Actor, organization: Id, sites: z.array(Id).max(1000) }),
    reply: z.object({ sites: z.array(Id) }),
  },
})
