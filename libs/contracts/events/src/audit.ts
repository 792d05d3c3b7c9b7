import { z } from 'zod'
import {
  endpoints,
  Id,
  inOrganization,
  list,
  page,
  PointInTime,
  recordTypeNames,
  Timestamp,
  Url,
} from '@recto/contracts-shared'
import { cursorPattern } from './cursor.ts'

/** Lines of one export. */
const maxLines = 1_000

const AuditEventActor = z
  .object({
    type: z.enum(['user', 'integration', 'installation', 'system', 'support']),
    id: Id,
    label: z.string().optional().describe('The name of a user who still belongs to the organization'),
  })
  .meta({ id: 'AuditEventActor', description: 'Who did something; `system` is the platform' })

const AuditEventTarget = z
  .object({ type: z.string(), id: Id, label: z.string().optional() })
  .meta({ id: 'AuditEventTarget', description: 'What was changed' })

const fields = {
  object: z.literal('audit-event'),
  id: z.uuid(),
  occurredAt: Timestamp,
  action: z.string().describe('Type of the event; a later version of the platform has others, too'),
  actor: AuditEventActor,
  source: z.enum(['ui', 'api', 'integration', 'webhook', 'workflow', 'script', 'support']),
  target: AuditEventTarget,
  urls: z.object({ location: Url }),
}

const AuditEvent = z
  .object(fields)
  .meta({ id: 'AuditEvent', description: 'Something that was done in an organization' })

const AuditEventDetails = z
  .object({
    ...fields,
    executionId: z.string().optional().describe('Id of the operation of the API'),
    correlationId: z.string().optional().describe('Id of the request; several events of one request have it'),
    causedByEventId: z
      .uuid()
      .optional()
      .describe(
        'Id of the event that began what this one ends by itself: an import, a run of a translation, a git operation, or the deletion of a space that is purged. Absent while the log does not have it',
      ),
    schemaVersion: z.int(),
    payload: z
      .object({
        sequence: z.int().describe('Grows by one with each event of the organization'),
        subject: z.record(z.string(), Id),
        revision: z.object({ before: Id.nullable(), after: Id.nullable() }).optional(),
        details: z.record(z.string(), z.json()).optional().describe('Further facts: names of fields, and ids'),
        client: z
          .object({
            address: z.string().optional().describe('IP address'),
            userAgent: z.string().optional().describe('Name of the program'),
            token: Id.optional().describe('Id of the access token'),
          })
          .optional()
          .describe('From where'),
        hash: z.string().describe('SHA-256 of the event and of the hash before it, in hexadecimal'),
      })
      .meta({ id: 'AuditEventPayload', description: 'Facts about something that was done' }),
  })
  .meta({ id: 'AuditEventDetails', description: 'Something that was done, with all facts' })

const filters = {
  from: PointInTime.optional().describe('Only what happened at this time or later'),
  to: PointInTime.optional().describe('Only what happened at this time or earlier'),
  action: z.enum(recordTypeNames, 'must be an action').optional().describe('Only this action'),
  actor: Id.optional().describe('Only what this user did; `system` for the platform'),
  target: Id.optional().describe('Only what was done to the resource of this id'),
}

/** Operations on the audit log, for admins of the organization. Nothing in it can be changed. */
export const audit = endpoints({
  listOrganizationAuditEvents: {
    route: 'GET /orgs/{organizationId}/audit-events',
    summary: 'List what was done in an organization',
    description:
      'The newest comes first, without the facts of each: `getOrganizationAuditEvent` and the export have them. All filters that are given apply.',
    query: page.extend({
      limit: z.coerce.number().int().min(1).max(100).default(20).describe('Events of one page'),
      ...filters,
    }),
    reply: list(AuditEvent),
    errors: ['not_found'],
    scope: 'organization:audit:read',
    access: inOrganization('admin'),
    examples: [
      { query: { action: 'space.created' } },
      { query: { actor: '{userId}', target: '{spaceId}' }, ignores: ['userId', 'spaceId'] },
    ],
  },
  getOrganizationAuditEvent: {
    route: 'GET /orgs/{organizationId}/audit-events/{auditEventId}',
    summary: 'Get what was done, with all facts',
    description: 'Resources are named by ids; their content and secrets are never in the log.',
    reply: AuditEventDetails,
    errors: ['not_found'],
    scope: 'organization:audit:read',
    access: inOrganization('admin'),
  },
  exportOrganizationAuditEvents: {
    route: 'GET /orgs/{organizationId}/audit-events-export',
    summary: 'Export what was done as JSON lines',
    description:
      'One event with all facts on each line, the oldest first. Each line has a `cursor`: the next export continues behind it. No line is the end, for now. A cursor of events that are not kept any more is 410.',
    query: z.object({
      ...filters,
      after: z
        .string()
        .regex(new RegExp(`^(?:${cursorPattern})$`), 'must be a cursor of an export')
        .optional()
        .describe('The cursor of the last line that was exported'),
      limit: z.coerce.number().int().min(1).max(maxLines).default(1_000).describe('Lines of one export'),
    }),
    reply: z.string(),
    response: { mediaType: 'application/x-ndjson' },
    limits: { timeoutMs: 60_000 },
    errors: ['not_found', 'gone'],
    scope: 'organization:audit:read',
    access: inOrganization('admin'),
    examples: [{ query: { actor: '{userId}', target: '{spaceId}' }, ignores: ['userId', 'spaceId'] }],
  },
  listOrganizationAuditEventActions: {
    route: 'GET /orgs/{organizationId}/audit-event-actions',
    summary: 'List the actions of the audit log',
    description: 'All types of events, of the services of this version.',
    reply: z.object({
      items: z.array(
        z
          .object({ object: z.literal('audit-event-action'), id: z.enum(recordTypeNames), label: z.string() })
          .meta({ id: 'AuditEventAction', description: 'An action of the audit log' }),
      ),
    }),
    errors: ['not_found'],
    scope: 'organization:audit:read',
    access: inOrganization('admin'),
  },
})
