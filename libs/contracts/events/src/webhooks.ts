import { z } from 'zod'
import {
  empty,
  endpoints,
  hasCredentials,
  HttpUrl,
  Id,
  inOrganization,
  list,
  onlyFields,
  page,
  PointInTime,
  recordTypeNames,
  text,
  Timestamp,
  Url,
} from '@recto/contracts-shared'

/** Webhooks that an organization may have. */
export const maxWebhooks = 50

const EndpointUrl = HttpUrl.refine(
  url => !hasCredentials(url),
  'must not contain a user or password: who receives events verifies their signature',
)

const Types = z.array(z.enum(recordTypeNames, 'must be a type of events')).max(recordTypeNames.length)
const settings = {
  url: EndpointUrl.describe('Where events are sent to: a public address, unless the installation allows others'),
  types: Types.describe('Types of the events that are sent; all of them when it is empty'),
  space: Id.nullable().describe('Only events about this space are sent'),
  site: Id.nullable().describe('Only events about this site are sent'),
  description: text({ max: 200 }).describe('What it is for'),
}

const CreateWebhook = z
  .strictObject(
    {
      url: settings.url,
      types: settings.types.default([]),
      space: settings.space.default(null),
      site: settings.site.default(null),
      description: settings.description.default(''),
    },
    onlyFields('url', 'types', 'space', 'site', 'description'),
  )
  .meta({ id: 'CreateWebhook', description: 'A webhook to create' })

const UpdateWebhook = z
  .object({
    ...settings,
    enabled: z.boolean().describe('Whether events are sent; one that was switched off begins with what is new then'),
  })
  .partial()
  .meta({ id: 'UpdateWebhook', description: 'Fields of a webhook to update' })

const fields = {
  object: z.literal('webhook'),
  id: Id,
  ...settings,
  owner: Id.describe('The user who created it: only events that they may see are sent'),
  enabled: z.boolean(),
  disabledReason: z
    .enum(['user', 'failing', 'gone', 'owner'])
    .optional()
    .describe(
      'Why it is switched off: by a user, after five days of failures, because the endpoint answered 410, or because its owner left',
    ),
  failingSince: Timestamp.optional().describe('Since when no event has arrived'),
  pausedUntil: Timestamp.optional().describe('When the endpoint, which fails, is tried again'),
  waiting: z.int().describe('Events that wait to be sent'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  urls: z.object({ location: Url }),
}

const Webhook = z.object(fields).meta({ id: 'Webhook', description: 'An endpoint that events are sent to' })

const secret = z.string().describe('Signs the events; it is shown this once')

const WebhookWithSecret = z
  .object({ ...fields, secret })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with its secret' })

const WebhookAttempt = z
  .object({
    at: Timestamp,
    milliseconds: z.int().describe('Until the reply, or the failure'),
    status: z.int().optional().describe('HTTP status of the reply'),
    error: z.string().optional().describe('Why there was no reply'),
    reply: z.string().optional().describe('The beginning of the reply'),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt to send an event' })

const deliveryStatuses = ['waiting', 'delivered', 'failed', 'skipped'] as const

const delivery = {
  object: z.literal('webhook-delivery'),
  id: Id,
  event: z
    .object({ id: z.uuid(), type: z.string(), sequence: z.int().describe('Its place in the feed') })
    .describe('The event that is sent'),
  status: z
    .enum(deliveryStatuses)
    .describe('`failed` after eight attempts; `skipped` when the owner may not see what the event is about'),
  attempts: z.array(WebhookAttempt).describe('The last ones'),
  nextAttemptAt: Timestamp.optional(),
  createdAt: Timestamp,
}

const WebhookDelivery = z
  .object(delivery)
  .meta({ id: 'WebhookDelivery', description: 'An event on its way to an endpoint' })

const WebhookDeliveryDetails = z
  .object({
    ...delivery,
    request: z
      .object({
        headers: z.record(z.string(), z.string()).describe('Without the signature, which each attempt has its own of'),
        body: z.string().describe('The event as JSON'),
      })
      .describe('Without the headers of HTTP'),
  })
  .meta({ id: 'WebhookDeliveryDetails', description: 'An event on its way to an endpoint, with what is sent' })

const ReplayWebhook = z
  .object({ from: PointInTime.describe('All events since this time are sent again') })
  .meta({ id: 'ReplayWebhook', description: 'What to send again' })

const access = inOrganization('admin')
const errors = ['not_found'] as const

/** Operations on webhooks, for admins of the organization. */
export const webhooks = endpoints({
  listWebhooks: {
    route: 'GET /orgs/{organizationId}/webhooks',
    summary: 'List the webhooks of an organization',
    description: 'The newest comes first. Secrets are never shown again.',
    query: page,
    reply: list(Webhook),
    errors,
    scope: 'organization:webhooks:read',
    access,
  },
  createWebhook: {
    route: 'POST /orgs/{organizationId}/webhooks',
    summary: 'Create a webhook',
    description:
      'Events from now on are sent to the URL, in order for each resource, signed as Standard Webhooks says: `webhook-id`, `webhook-timestamp`, `webhook-signature`. What is not answered with a 2xx is tried eight times within three days. An organization has at most 50 webhooks (409).',
    body: CreateWebhook,
    reply: WebhookWithSecret,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    scope: 'organization:webhooks:write',
    access,
    records: ['webhook.created'],
    examples: [
      { body: { url: 'https://hooks.example.com/recto', types: ['space.content.updated'] } },
      { body: { url: 'https://hooks.example.com/recto', space: '{spaceId}' } },
      { body: { url: 'https://hooks.example.com/recto', site: '{siteId}' } },
    ],
  },
  getWebhook: {
    route: 'GET /orgs/{organizationId}/webhooks/{webhookId}',
    summary: 'Get a webhook',
    description: 'With its state: whether its endpoint fails, and how many events wait.',
    reply: Webhook,
    errors,
    scope: 'organization:webhooks:read',
    access,
  },
  updateWebhook: {
    route: 'PATCH /orgs/{organizationId}/webhooks/{webhookId}',
    summary: 'Update a webhook',
    description:
      'Events that wait are sent to the new URL. `enabled` switches it on again, too, when it was switched off.',
    body: UpdateWebhook,
    reply: Webhook,
    errors,
    scope: 'organization:webhooks:write',
    access,
    records: ['webhook.updated'],
    examples: [
      { body: { description: 'Mirrors our documentation' } },
      { body: { space: '{spaceId}' } },
      { body: { site: '{siteId}' } },
    ],
  },
  deleteWebhook: {
    route: 'DELETE /orgs/{organizationId}/webhooks/{webhookId}',
    summary: 'Delete a webhook',
    description: 'Events that wait are not sent any more.',
    reply: empty,
    status: 204,
    errors,
    scope: 'organization:webhooks:write',
    access,
    records: ['webhook.deleted'],
  },
  rotateWebhookSecret: {
    route: 'POST /orgs/{organizationId}/webhooks/{webhookId}/secret',
    summary: 'Replace the secret of a webhook',
    description: 'For a day, events are signed with the former secret as well.',
    reply: z.object({ secret }).meta({ id: 'WebhookSecret', description: 'The secret of a webhook' }),
    creates: 'effect',
    errors,
    scope: 'organization:webhooks:write',
    access,
    records: ['webhook.secret.rotated'],
  },
  testWebhook: {
    route: 'POST /orgs/{organizationId}/webhooks/{webhookId}/test',
    summary: 'Send a test event to a webhook',
    description: 'Sends an event of the type `webhook.test` at once, and answers with what came back.',
    reply: WebhookAttempt,
    isIdempotent: true,
    limits: { timeoutMs: 30_000 },
    errors,
    scope: 'organization:webhooks:write',
    access,
    records: { nothing: 'It sends an event that is none' },
  },
  listWebhookDeliveries: {
    route: 'GET /orgs/{organizationId}/webhooks/{webhookId}/deliveries',
    summary: 'List the deliveries of a webhook',
    description: 'The newest comes first. They are kept as long as the feed keeps events.',
    query: page.extend({ status: z.enum(deliveryStatuses).optional().describe('Only deliveries of this status') }),
    reply: list(WebhookDelivery),
    errors,
    scope: 'organization:webhooks:read',
    access,
  },
  getWebhookDelivery: {
    route: 'GET /orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}',
    summary: 'Get a delivery of a webhook',
    description: 'With what is sent, and the replies to the last attempts.',
    reply: WebhookDeliveryDetails,
    errors,
    scope: 'organization:webhooks:read',
    access,
  },
  replayWebhookDelivery: {
    route: 'POST /orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
    summary: 'Send an event to a webhook again',
    description:
      'Its `webhook-id` is the same, by which the receiver knows that it is the same event. A webhook that is switched off is refused (409).',
    reply: WebhookDelivery,
    creates: 'effect',
    errors: [...errors, 'conflict'],
    scope: 'organization:webhooks:write',
    access,
    records: { nothing: 'It sends again what was sent' },
  },
  replayWebhook: {
    route: 'POST /orgs/{organizationId}/webhooks/{webhookId}/replay',
    summary: 'Send the events since a time to a webhook again',
    description:
      'As far as the feed keeps them. Those that wait are sent in their turn, once. A webhook that is switched off is refused (409).',
    body: ReplayWebhook,
    reply: Webhook,
    creates: 'effect',
    errors: [...errors, 'conflict'],
    scope: 'organization:webhooks:write',
    access,
    records: { nothing: 'It sends again what was sent' },
    examples: [{ body: { from: '2026-11-01T00:00:00Z' } }],
  },
})
