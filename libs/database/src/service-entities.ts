import { IdempotentRequestEntity } from './idempotent-request.entity.ts'
import { OutboxEntity } from './outbox.entity.ts'
import { ProcessedMessageEntity } from './processed-message.entity.ts'
import { RecordCounterEntity } from './record-counter.entity.ts'

/** The entities that every service's database has: outbox, processed messages, requests with an `Idempotency-Key`, numbers of recorded changes. */
export const serviceEntities = [OutboxEntity, ProcessedMessageEntity, IdempotentRequestEntity, RecordCounterEntity]
