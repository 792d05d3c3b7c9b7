import type { RecordedEvent } from '@recto/contracts-events'
import type { z } from 'zod'
import { cursorOf } from '../record/cursor.rules.ts'
import type { EventRow } from '../record/event.entity.ts'

/** An event as the feed shows it. */
export function presentEvent(event: EventRow): z.input<typeof RecordedEvent> {
  const { id, sequence, occurredAt, type, organizationId, subject, revision, details } = event
  return {
    object: 'event',
    id,
    sequence,
    cursor: cursorOf(event),
    time: occurredAt.toISOString(),
    type,
    organization: organizationId,
    subject: subject as z.input<typeof RecordedEvent>['subject'],
    ...(revision && { revision }),
    ...(details && { details: details as z.input<typeof RecordedEvent>['details'] }),
    actor:
      event.actorKind === 'user' && event.actorId !== null ? { type: 'user', id: event.actorId } : { type: 'system' },
    ...(event.operationId !== null && { operation: event.operationId }),
    ...(event.requestId !== null && { request: event.requestId }),
  }
}
