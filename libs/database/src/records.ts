import { randomUUID } from 'node:crypto'
import { currentOrigin, type Origin, type RecordEntry } from '@recto/operation'
import type { Db } from './open.ts'
import { enqueueAll, type OutgoingMessage } from './outbox.ts'
import { query } from './query.ts'

/** SQL that creates the table of the numbers of recorded changes; part of a migration of each service. */
export const recordTable = [
  `create table record_counters (
    organization text primary key,
    last int not null
  )`,
]

/** A recorded change on its way to the record. */
export interface RecordedChange extends Omit<RecordEntry, 'event'>, Omit<Origin, 'actor'> {
  /** UUID of the change. */
  id: string
  /** 1 for the first change of an organization that this service has recorded, and so on without a gap, in the order of their commits. */
  number: number
  /** When it was made (ISO 8601). */
  time: string
}

/** Messages that one statement writes: Postgres limits its parameters. */
const messagesOfOneStatement = 1_000

/**
 * Writes the changes of a transaction to the outbox, numbered by organization; the last work before its commit. The counter's row is locked
 * until then, so numbers follow the order of commits, and a transaction that is rolled back leaves no gap.
 */
export async function writeRecords(db: Db, entries: readonly RecordEntry[]): Promise<void> {
  // In one order, so that two transactions that concern two organizations do not wait for each other.
  const organizations = [...new Set(entries.map(({ organization }) => organization))].toSorted()
  for (const organization of organizations) {
    const own = entries.filter(entry => entry.organization === organization)
    const last = await count(db, organization, own.length)
    const time = new Date().toISOString()
    const messages = own.map((entry, at) => messageOf(entry, { number: last - own.length + at + 1, time }))
    for (let at = 0; at < messages.length; at += messagesOfOneStatement)
      await enqueueAll(db, messages.slice(at, at + messagesOfOneStatement))
  }
}

async function count(db: Db, organization: string, changes: number): Promise<number> {
  const [row] = await query<{ last: number }>(
    db,
    `insert into record_counters (organization, last) values ($1, $2)
     on conflict (organization) do update set last = record_counters.last + $2 returning last`,
    [organization, changes],
  )
  return row?.last ?? 0
}

function messageOf(entry: RecordEntry, { number, time }: { number: number; time: string }): OutgoingMessage {
  const { event, actor, ...change } = entry
  const origin = currentOrigin()
  const id = randomUUID()
  const recorded: RecordedChange = { id, number, time, ...change, ...origin, actor: actor ?? origin?.actor }
  return { id, subject: event.subject, payload: event.payload.parse(recorded), consumers: event.consumers }
}
