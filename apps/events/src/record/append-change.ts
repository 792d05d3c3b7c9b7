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
  const organizationId = change.organization
  const sequence = await repository.lockSequence(tx, organizationId)
  const place = { organizationId, source }
  const last = await repository.lastNumber(tx, organizationId, source)
  const isPresent = await repository.isPresent(tx, change.id)
  const arrival = arrivalOf({ number: change.number, last, isPresent })
  if (arrival === 'drop') return
  if (arrival === 'keep') return repository.keepEarly(tx, source, change)
  const next = await repository.append(tx, sequence, { source, changes: [change] })
  await appendFollowing(tx, place, { sequence: next, last: Math.max(last, change.number) })
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
    const following = await repository.takeFollowing(tx, place, { last: reached.last, limit: batch })
    if (following.length > 0) {
      reached = {
        sequence: await repository.append(tx, reached.sequence, { source, changes: following }),
        last: reached.last + following.length,
      }
    }
    if (following.length < batch) break
  }
  await repository.setLastNumber(tx, place, reached.last)
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
