import { recordTypes, type RecordedType, type RecordType } from '@recto/contracts-shared'
import type { EventRow } from '../record/event.entity.ts'
import type { EarlierEvent } from '../record/event-search.repository.ts'

/** The causes of events that end by themselves what another one began; an event that a request made has none. */
export function causesOf(events: readonly EventRow[]): EarlierEvent[] {
  return events.flatMap(({ type, sequence, subject, operationId }) => {
    const recordType: RecordType | undefined = recordTypes[type as RecordedType]
    const id = subject[recordType?.about.at(-1) ?? '']
    if (operationId !== null || recordType?.causedBy === undefined || id === undefined) return []
    return [{ sequence, type: recordType.causedBy, id }]
  })
}
