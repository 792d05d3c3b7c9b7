import { events } from '@recto/operation'
import { z } from 'zod'
import { Id } from '@recto/contracts-shared'

const of = { organization: Id, spec: Id, slug: z.string() }

/** Events about OpenAPI specifications. */
export const openApiSpecEvents = events({
  versionAdded: {
    subject: 'events.openapi-specs.version.added',
    summary: 'A specification has a new version',
    payload: z.object({ ...of, version: Id }),
    consumers: ['content', 'publishing'],
  },
  specDeleted: {
    subject: 'events.openapi-specs.spec.deleted',
    summary: 'A specification was deleted with its versions',
    payload: z.object(of),
    consumers: ['content', 'publishing'],
  },
})
