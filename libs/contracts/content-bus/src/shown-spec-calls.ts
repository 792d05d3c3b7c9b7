import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Id } from '@recto/contracts-shared'

/** Calls from openapi-specs to content. */
export const shownSpecCalls = operations({
  showsSpecification: {
    summary: 'Whether a page that an actor sees names a specification, as computed pages or in its text',
    body: z.object({ actor: Actor, organization: Id, spec: z.string() }),
    reply: z.object({ shown: z.boolean() }),
  },
})
