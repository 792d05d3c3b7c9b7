import { serviceEntities, type DatabaseLimits, type DatabaseOptions } from '@recto/database'
import { CreateEvents1766900000000 } from './migrations/1766900000000-create-events.ts'
import { PendingList1767400000000 } from './migrations/1767400000000-pending-list.ts'
import { DeliveryEntity, WebhookEntity } from './webhooks/webhook.entity.ts'
import { EarlyChangeEntity, EventEntity, EventSequenceEntity, SourcePositionEntity } from './record/event.entity.ts'

/** Entities and migrations of the database of events. */
export function eventsDatabase(url: string, limits: DatabaseLimits = {}): DatabaseOptions {
  return {
    url,
    ...limits,
    entities: [
      EventEntity,
      EventSequenceEntity,
      SourcePositionEntity,
      EarlyChangeEntity,
      WebhookEntity,
      DeliveryEntity,
      ...serviceEntities,
    ],
    migrations: [CreateEvents1766900000000, PendingList1767400000000],
  }
}
