import { recordEvents } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { implementEvents } from '@recto/service'
import { arrivalOf } from './arrival.rules.ts'
import * as repository from './events.repository.ts'
import type { EventSequenceRow } from './event.entity.ts'
import type { Change } from './events.repository.ts'

/** Changes that one statement appends. */
const batch = 500

/**
 * Puts a change into the record of its organization, in the order in which its service counted it: one that arrives early waits. The
 * organization's sequence is locked, so that sequences follow the order of commits and a reader behind one misses none.
 */
export async function appendChange(tx: Transaction, source: string, change: Change): Promise<void> {
  const place = { organizationId: change.organization, source }
  const sequence = await repository.lockSequence(tx, place.organizationId)
  const { last, isPresent } = await repository.readState(tx, place, change.id)
  const arrival = arrivalOf({ number: change.number, last, isPresent })
  if (arrival === 'drop') return
  if (arrival === 'keep') return repository.keepEarly(tx, source, change)
  const lastNumber = Math.max(last, change.number)
  const appended = await repository.append(tx, sequence, { source, changes: [change], lastNumber })
  if (appended.isEarlyWaiting) await appendFollowing(tx, place, { sequence: appended.sequence, last: lastNumber })
}

/** Appends what arrived early and follows a number without a gap. */
export async function appendFollowing(
  tx: Transaction,
  place: repository.SourcePlace,
  { sequence, last }: { sequence: EventSequenceRow; last: number },
): Promise<void> {
  const { source } = place
  let reached = { sequence, last }
  for (;;) {
    const changes = await repository.takeFollowing(tx, place, { last: reached.last, limit: batch })
    if (changes.length > 0) {
      const lastNumber = reached.last + changes.length
      const appended = await repository.append(tx, reached.sequence, { source, changes, lastNumber })
      reached = { sequence: appended.sequence, last: lastNumber }
    }
    if (changes.length < batch) return
  }
}

const from =
  (source: string) =>
  (change: Change, { tx }: { tx: Transaction }) =>
    appendChange(tx, source, change)

/** Appends what each service has recorded. */
export const recordHandlers = implementEvents<'events'>()(recordEvents, {
  identityRecorded: from('identity'),
  contentRecorded: from('content'),
  publishingRecorded: from('publishing'),
  openApiSpecsRecorded: from('openapi-specs'),
  gitWorkerRecorded: from('git-worker'),
  eventsRecorded: from('events'),
})
