import { IdempotentRequestEntity } from './idempotent-request.entity.ts'
import { OutboxEntity } from './outbox.entity.ts'
import { ProcessedMessageEntity } from './processed-message.entity.ts'

/** The entities that every service's database has: outbox, processed messages, requests with an `Idempotency-Key`. */
export const serviceEntities = [OutboxEntity, ProcessedMessageEntity, IdempotentRequestEntity]
