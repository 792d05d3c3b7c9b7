import { events } from '@recto/operation'
import { z } from 'zod'
import { Id, Timestamp } from '@recto/contracts-shared'

const changed = { organization: Id, by: Id.describe('Id of the user who made the change'), at: Timestamp }
const fields = z.array(z.string()).describe('Names of the changed fields')

/** Events that content publishes about spaces and collections. */
export const contentEvents = events({
  spaceUpdated: {
    subject: 'events.content.space.updated',
    summary: 'The settings of a space were updated',
    payload: z.object({ ...changed, space: Id, fields }),
    consumers: ['publishing'],
  },
  mainContentChanged: {
    subject: 'events.content.main-content.changed',
    summary: 'The main content of a space is another revision',
    payload: z.object({
      space: Id,
      from: Id.nullable().describe('Revision before; null when the space is new'),
      to: Id.describe('Revision since; by the time of handling there may be a later one'),
    }),
    consumers: ['content', 'publishing', 'git-worker'],
  },
  computedPagesOutdated: {
    subject: 'events.content.computed-pages.outdated',
    summary: 'A specification that pages of a space are computed from has another version, or is gone',
    payload: z.object({ space: Id }),
    consumers: ['content'],
  },
  specificationRecorded: {
    subject: 'events.content.specification.recorded',
    summary: 'A specification that pages are computed from was recorded, and may have changed meanwhile',
    payload: z.object({ organization: Id, slug: z.string() }),
    consumers: ['content'],
  },
})
