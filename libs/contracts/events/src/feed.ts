import { z } from 'zod'
import { endpoints, guests, Id, recordTypeNames, subjectKinds, Timestamp } from '@recto/contracts-shared'
import { cursorPattern } from './cursor.ts'

/** Seconds for which one request waits for an event, and one stream runs before its client connects again. */
const maxWait = 30
const maxStream = 300
/** Events of one reply. */
const maxEvents = 1_000
/** Types that one request may ask for, by commas. */
const maxTypes = 50

const Cursor = z
  .string()
  .regex(new RegExp(`^(?:latest|${cursorPattern})$`), 'must be a cursor of this feed, or `latest`')

const Types = z
  .string()
  .transform(text => text.split(','))
  .pipe(z.array(z.enum(recordTypeNames, 'must be types of events')).min(1).max(maxTypes))

/** An event of an organization as the feed shows it: it names ids, never content. */
export const RecordedEvent = z
  .object({
    object: z.literal('event'),
    id: z.uuid(),
    sequence: z.int().describe('Grows by one with each event of the organization'),
    cursor: z.string().describe('Continues the feed behind this event'),
    time: Timestamp,
    type: z.string().describe('One of the actions of the audit log; a later version of the platform has others, too'),
    organization: Id,
    subject: z.partialRecord(z.enum(subjectKinds), Id).describe('Ids of what changed, by their kinds'),
    revision: z
      .object({ before: Id.nullable(), after: Id.nullable() })
      .optional()
      .describe('Revisions of the content before and after the change'),
    details: z.record(z.string(), z.json()).optional().describe('Further facts: names of fields, and ids'),
    actor: z
      .object({ type: z.enum(['user', 'system']), id: Id.optional().describe('Id of the user') })
      .describe('Who did it: a user, or the platform'),
    operation: z.string().optional().describe('Id of the operation of the API that caused it'),
    request: z.string().optional().describe('Id of the request (`X-Request-Id`)'),
  })
  .meta({ id: 'RecordedEvent', description: 'A change of an organization' })

const filters = {
  after: Cursor.optional().describe(
    'Where to continue: the cursor of an event or of a reply. Without it the feed begins at the oldest event; `latest` is behind the newest',
  ),
  types: Types.optional().describe('Only events of these types, by commas'),
  space: Id.optional().describe('Only events about this space'),
  site: Id.optional().describe('Only events about this site'),
}

/** Operations on what happened in an organization. */
export const feed = endpoints({
  listEvents: {
    route: 'GET /orgs/{organizationId}/events',
    summary: 'Read the events of an organization',
    description:
      'In order, each at least once, as far as the caller may see now what they are about. A reply without events still has a cursor to continue with. A cursor of events that are not kept any more, or of a record that was restored from a backup, is 410.',
    query: z.object({
      ...filters,
      limit: z.coerce.number().int().min(1).max(maxEvents).default(100).describe('Events of one reply'),
      wait: z.coerce
        .number()
        .int()
        .min(0)
        .max(maxWait)
        .default(0)
        .describe('Seconds to wait for an event when there is none'),
    }),
    reply: z
      .object({
        object: z.literal('events'),
        events: z.array(RecordedEvent),
        cursor: z.string().describe('Continues the feed behind this reply'),
      })
      .meta({ id: 'RecordedEvents', description: 'A part of the events of an organization' }),
    limits: { timeoutMs: (maxWait + 15) * 1_000 },
    errors: ['not_found', 'gone'],
    scope: 'organization:events:read',
    access: { ...guests, limited: 'filtered' },
    examples: [
      { query: { limit: '10' } },
      { query: { space: '{spaceId}' }, ignores: ['spaceId'] },
      { query: { site: '{siteId}' }, ignores: ['siteId'] },
    ],
  },
  streamEvents: {
    route: 'GET /orgs/{organizationId}/events/stream',
    summary: 'Stream the events of an organization',
    description:
      'Server-sent events, each with its cursor as `id`: a client that connects again sends the last one as `Last-Event-ID`, and misses none. Without it, or `after`, the stream begins behind the newest event. It ends after five minutes at most, for the client to connect again. A cursor of events that are not kept any more is 410.',
    query: z.object({
      ...filters,
      seconds: z.coerce
        .number()
        .int()
        .min(1)
        .max(maxStream)
        .default(maxStream)
        .describe('Seconds after which the stream ends'),
    }),
    request: { headers: ['last-event-id'] },
    reply: RecordedEvent,
    response: { mediaType: 'text/event-stream', eventId: 'cursor' },
    limits: { timeoutMs: (maxStream + 15) * 1_000 },
    errors: ['not_found', 'gone'],
    scope: 'organization:events:read',
    access: { ...guests, limited: 'filtered' },
    examples: [
      { query: { seconds: '1' } },
      { query: { seconds: '1', space: '{spaceId}' }, ignores: ['spaceId'] },
      { query: { seconds: '1', site: '{siteId}' }, ignores: ['siteId'] },
    ],
  },
})
