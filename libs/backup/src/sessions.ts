import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@recto/operation'
import { Client, DatabaseError } from 'pg'

/** A database of the installation. */
export interface Database {
  name: string
  /** `postgres://role:password@host:port/database`. */
  url: string
}

/** A connection to a database. */
export interface Session {
  name: string
  client: Client
}

const lockAttempts = 40
const lockTimeoutMs = 500
const lockNotAvailable = '55P03'

/** Connects to a database, without a limit of time for statements. */
export async function openSession({ name, url }: Database): Promise<Session> {
  const client = new Client({ connectionString: url, statement_timeout: 0, application_name: 'recto-backup' })
  // A connection that breaks fails the statement that uses it.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (cause) {
    throw new Failure('unavailable', `The database ${name} cannot be reached: ${(cause as Error).message}`, { cause })
  }
  return { name, client }
}

/** Connects to all databases, or to none. */
export async function openSessions(databases: readonly Database[]): Promise<Session[]> {
  const outcomes = await Promise.allSettled(databases.map(openSession))
  const sessions = outcomes.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  const failed = outcomes.find(each => each.status === 'rejected')
  if (!failed) return sessions
  await closeSessions(sessions)
  throw failed.reason
}

/** Ends connections, and transactions of theirs that were not committed. */
export async function closeSessions(sessions: readonly Session[]): Promise<void> {
  await Promise.all(sessions.map(({ client }) => client.end()))
}

/**
 * Begins a read-only transaction in each database, all of which see the installation at one instant. An event is done in its outbox
 * only after its consumer has committed; the outboxes are locked against writers for the milliseconds in which the snapshots are
 * taken, so that no snapshot has an event as done that another one has not seen.
 */
export async function beginAtOneInstant(databases: readonly Database[]): Promise<{ readers: Session[]; at: Date }> {
  const lockers = await openSessions(databases)
  try {
    await lockOutboxes(lockers)
    const readers = await openSessions(databases)
    await Promise.all(readers.map(beginReading)).catch(async (error: unknown) => {
      await closeSessions(readers)
      throw error
    })
    return { readers, at: new Date() }
  } finally {
    await closeSessions(lockers)
  }
}

async function beginReading({ client }: Session): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  // The snapshot is taken by the first query.
  await client.query('select 1')
}

/** Waits for writers in short attempts: one that waits for another service must not wait for a lock that waits for it. */
async function lockOutboxes(lockers: readonly Session[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      for (const { client } of lockers) {
        await client.query('begin')
        await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
        await client.query('lock table outbox in share mode')
      }
      return
    } catch (error) {
      await Promise.all(lockers.map(({ client }) => client.query('rollback')))
      if (!(error instanceof DatabaseError) || error.code !== lockNotAvailable || attempt === lockAttempts) throw error
      await sleep(100 + Math.random() * lockTimeoutMs)
    }
  }
}
