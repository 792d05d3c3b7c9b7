import { type Event, type Job, type Payload, type RecordEntry } from '@recto/operation'
import type { Db } from './open.ts'
import { enqueue, enqueueEvent, handleOnce, type HandleOutcome, type OutgoingMessage } from './outbox.ts'
import { writeRecords } from './records.ts'
import { inTransaction } from './transaction-scope.ts'

/** A database transaction that can also publish: its messages are written to the outbox and are published if it commits. */
export type Transaction = Db & {
  /** Publishes an event when the transaction commits; throws when the payload does not match the event's schema. */
  publish<T extends Event>(event: T, payload: Payload<T>): Promise<void>
  /** Enqueues a job under an id when the transaction commits; the same id again restarts the delivery of the job. */
  enqueue<T extends Job>(job: T, id: string, payload: Payload<T>): Promise<void>
  /** Puts a change into the record of its organization when the transaction commits, with who caused it (`currentOrigin`). */
  record(entry: RecordEntry): void
}

/** Called with each event after the commit, so that caches drop at once; the outbox delivers it reliably in any case. */
export type Signal = (message: OutgoingMessage) => void

/** Runs work in a transaction (unit of work) and signals the events it published after the commit. */
export async function transact<T>(db: Db, signal: Signal, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const published: OutgoingMessage[] = []
  const result = await db.transaction(manager => inTransaction(() => recording(manager, published, work)))
  published.forEach(signal)
  return result
}

/** Like `transact`, once per message id: work for a message that was processed before, or is being processed, is not run. */
export async function transactOnce(
  db: Db,
  { id, signal }: { id: string; signal: Signal },
  work: (tx: Transaction) => Promise<void>,
): Promise<HandleOutcome> {
  const published: OutgoingMessage[] = []
  const handling = await handleOnce(db, id, manager => inTransaction(() => recording(manager, published, work)))
  published.forEach(signal)
  return handling
}

/** Runs work in a transaction that has begun; what it records is written last, because that locks the counters. */
async function recording<T>(
  manager: Db,
  published: OutgoingMessage[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const recorded: RecordEntry[] = []
  const result = await work(publishing(manager, { published, recorded }))
  if (recorded.length > 0) await writeRecords(manager, recorded)
  return result
}

/** The manager of a transaction belongs to that transaction alone, so it can carry the methods. */
function publishing(
  manager: Db,
  { published, recorded }: { published: OutgoingMessage[]; recorded: RecordEntry[] },
): Transaction {
  return Object.assign(manager, {
    publish: async <T extends Event>(event: T, payload: Payload<T>) => {
      published.push(await enqueueEvent(manager, event, payload))
    },
    enqueue: async <T extends Job>(job: T, id: string, payload: Payload<T>) => {
      await enqueue(manager, {
        id,
        subject: job.subject,
        payload: job.payload.parse(payload),
        consumers: [job.consumer],
      })
    },
    record: (entry: RecordEntry) => void recorded.push(entry),
  })
}
