import type { webhooks } from '@recto/contracts-events'
import type { Output } from '@recto/operation'
import type { DeliveryRow, WebhookRow } from './webhook.entity.ts'

type Reply = Output<typeof webhooks.getWebhook>
type DeliveryReply = Output<typeof webhooks.replayWebhookDelivery>

/** A webhook as replies show it: without its secrets. */
export function presentWebhook(row: WebhookRow, { publicUrl, waiting }: { publicUrl: string; waiting: number }): Reply {
  return {
    object: 'webhook',
    id: row.id,
    url: row.url,
    types: row.types as Reply['types'],
    space: row.spaceId,
    site: row.siteId,
    description: row.description,
    owner: row.ownerId,
    enabled: row.enabled,
    ...(row.disabledReason !== null && { disabledReason: row.disabledReason as NonNullable<Reply['disabledReason']> }),
    ...(row.failingSince && { failingSince: row.failingSince.toISOString() }),
    ...(row.pausedUntil && { pausedUntil: row.pausedUntil.toISOString() }),
    waiting,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    urls: { location: `${publicUrl}/v1/orgs/${row.organizationId}/webhooks/${row.id}` },
  }
}

/** A delivery as lists show it. */
export function presentDelivery(row: DeliveryRow): DeliveryReply {
  const isOpen = row.state === 'waiting' || row.state === 'running'
  return {
    object: 'webhook-delivery',
    id: row.id,
    event: { id: row.eventId, type: row.eventType, sequence: row.sequence },
    status: isOpen ? 'waiting' : (row.state as DeliveryReply['status']),
    attempts: row.log,
    ...(isOpen && { nextAttemptAt: row.dueAt.toISOString() }),
    createdAt: row.createdAt.toISOString(),
  }
}
