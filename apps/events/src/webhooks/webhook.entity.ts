import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** An endpoint that events of an organization are sent to. */
export interface WebhookRow {
  id: string
  organizationId: string
  url: string
  /** Types of the events that are sent; all of them when it is empty. */
  types: string[]
  spaceId: string | null
  siteId: string | null
  description: string
  /** Only events that this user may see are sent. */
  ownerId: string
  enabled: boolean
  disabledReason: string | null
  /** Sealed, as the former secret, which signs beside it until a time. */
  secret: Buffer
  formerSecret: Buffer | null
  formerUntil: Date | null
  /** The sequence of the last event that has a delivery, or needs none. */
  cursor: number
  /** Attempts in a row that failed. */
  failures: number
  failingSince: Date | null
  pausedUntil: Date | null
  createdAt: Date
  updatedAt: Date
}

export const WebhookEntity = new EntitySchema<WebhookRow>({
  name: 'Webhook',
  tableName: 'webhooks',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    url: { type: 'text' },
    types: { type: 'text', array: true },
    spaceId: { type: 'text', name: 'space_id', nullable: true },
    siteId: { type: 'text', name: 'site_id', nullable: true },
    description: { type: 'text' },
    ownerId: { type: 'text', name: 'owner_id' },
    enabled: { type: 'boolean' },
    disabledReason: { type: 'text', name: 'disabled_reason', nullable: true },
    secret: { type: 'bytea' },
    formerSecret: { type: 'bytea', name: 'former_secret', nullable: true },
    formerUntil: { type: 'timestamptz', precision: 3, name: 'former_until', nullable: true },
    cursor: { type: 'int' },
    failures: { type: 'int' },
    failingSince: { type: 'timestamptz', precision: 3, name: 'failing_since', nullable: true },
    pausedUntil: { type: 'timestamptz', precision: 3, name: 'paused_until', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<WebhookRow>,
})

/** One attempt to send an event. */
export interface DeliveryAttempt {
  /** ISO 8601 date-time. */
  at: string
  milliseconds: number
  status?: number
  error?: string
  /** The beginning of the reply. */
  reply?: string
}

/** An event on its way to an endpoint; the row is the queue. */
export interface DeliveryRow {
  id: string
  webhookId: string
  organizationId: string
  sequence: number
  eventId: string
  eventType: string
  /** Events of one key are sent one after another. */
  orderKey: string
  /** `waiting`, `running`, `delivered`, `failed` or `skipped`. */
  state: string
  /** Attempts, also those that a stop interrupted. */
  attempts: number
  /** Attempts that failed. */
  failures: number
  heartbeatAt: Date | null
  dueAt: Date
  /** The last attempts. */
  log: DeliveryAttempt[]
  createdAt: Date
  endedAt: Date | null
}

export const DeliveryEntity = new EntitySchema<DeliveryRow>({
  name: 'Delivery',
  tableName: 'webhook_deliveries',
  columns: {
    id: { type: 'text', primary: true },
    webhookId: { type: 'text', name: 'webhook_id' },
    organizationId: { type: 'text', name: 'organization_id' },
    sequence: { type: 'int' },
    eventId: { type: 'text', name: 'event_id' },
    eventType: { type: 'text', name: 'event_type' },
    orderKey: { type: 'text', name: 'order_key' },
    state: { type: 'text' },
    attempts: { type: 'int' },
    failures: { type: 'int' },
    heartbeatAt: { type: 'timestamptz', precision: 3, name: 'heartbeat_at', nullable: true },
    dueAt: { type: 'timestamptz', precision: 3, name: 'due_at' },
    log: { type: 'jsonb' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    endedAt: { type: 'timestamptz', precision: 3, name: 'ended_at', nullable: true },
  } satisfies EntityColumns<DeliveryRow>,
})
