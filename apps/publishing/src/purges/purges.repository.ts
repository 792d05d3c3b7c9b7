import { query, untilEarliest, type Db } from '@recto/database'
import { createId } from '@recto/operation'
import { ReaderEntity } from './reader.entity.ts'
import { ReaderPurgeEntity } from './reader-purge.entity.ts'

/** A tag that a reader has to purge. */
export interface PendingPurge {
  tag: string
  generation: string
}

/**
 * Has readers read again what has one of these tags, if the transaction commits. Tags are written in one order, so that two
 * transactions never wait for each other.
 */
export async function requestPurge(db: Db, tags: readonly string[]): Promise<void> {
  await query(
    db,
    `insert into reader_purges (tag, generation, requested_at, done_by)
     select tag, $2, now(), '{}' from (select distinct unnest($1::text[])) given (tag) order by tag
     on conflict (tag) do update set generation = excluded.generation, requested_at = excluded.requested_at, done_by = '{}'`,
    [tags, createId()],
  )
}

/** Tags that a reader has to purge, those that wait longest first. */
export async function listPending(db: Db, reader: string, most: number): Promise<PendingPurge[]> {
  return query<PendingPurge>(
    db,
    'select tag, generation from reader_purges where not $1 = any(done_by) order by requested_at limit $2',
    [reader, most],
  )
}

/** Milliseconds until a reader may be asked to purge what waits; infinite when nothing does. */
export async function untilPurge(db: Db, reader: string): Promise<number> {
  const times = `select coalesce((select next_attempt_at from readers where url = $1), now())
    where exists (select from reader_purges where not $1 = any(done_by))`
  return untilEarliest(db, times, [reader])
}

/** Takes a reader for some milliseconds; resolves to the failed attempts before, or to undefined while it is not to be asked. */
export async function takeReader(db: Db, url: string, ms: number): Promise<number | undefined> {
  const [taken] = await query<{ attempts: number }>(
    db,
    `insert into readers (url, attempts, next_attempt_at) values ($1, 0, now() + make_interval(secs => $2::float8 / 1000))
     on conflict (url) do update set next_attempt_at = excluded.next_attempt_at where readers.next_attempt_at <= now()
     returning attempts`,
    [url, ms],
  )
  return taken?.attempts
}

/** Lets a reader be asked again in some milliseconds, after this many failed attempts in a row. */
export async function releaseReader(
  db: Db,
  url: string,
  { attempts, ms }: { attempts: number; ms: number },
): Promise<void> {
  const nextAttemptAt = () => `now() + make_interval(secs => ${Math.round(ms)}::float8 / 1000)`
  await db.createQueryBuilder().update(ReaderEntity).set({ attempts, nextAttemptAt }).where({ url }).execute()
}

/** Ends the waiting of readers that failed before: whoever starts the service may have put right why. */
export async function retryReaders(db: Db, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const nextAttemptAt = () => 'now()'
    await db
      .createQueryBuilder()
      .update(ReaderEntity)
      .set({ attempts: 0, nextAttemptAt })
      .where('url = :url and attempts > 0', { url })
      .execute()
  }
}

/**
 * Records that a reader has purged tags, and deletes those that all readers have. What was requested again since, or is being
 * requested, stays.
 */
export async function markPurged(
  db: Db,
  purged: readonly PendingPurge[],
  { reader, readers }: { reader: string; readers: readonly string[] },
): Promise<void> {
  await query(
    db,
    `with same as (
       select tag, done_by || $3::text as done_by from reader_purges
       where (tag, generation) in (select * from unnest($1::text[], $2::text[])) for update skip locked
     ), finished as (
       delete from reader_purges using same where reader_purges.tag = same.tag and same.done_by @> $4::text[]
     )
     update reader_purges set done_by = same.done_by from same
     where reader_purges.tag = same.tag and not same.done_by @> $4::text[]`,
    [purged.map(({ tag }) => tag), purged.map(({ generation }) => generation), reader, readers],
  )
}

/** Deletes what was requested longer ago than some milliseconds; returns it with the readers that did not purge it. */
export async function giveUp(
  db: Db,
  ms: number,
  readers: readonly string[],
): Promise<{ tag: string; missing: string[] }[]> {
  const deleted = await query<{ tag: string; doneBy: string[] }>(
    db,
    `delete from reader_purges where tag in (
       select tag from reader_purges where requested_at < now() - make_interval(secs => $1::float8 / 1000) for update skip locked
     ) returning tag, done_by as "doneBy"`,
    [ms],
  )
  return deleted.map(({ tag, doneBy }) => ({ tag, missing: readers.filter(url => !doneBy.includes(url)) }))
}

/** Counts tags that readers have to purge, for metrics. */
export async function countPending(db: Db): Promise<number> {
  return db.count(ReaderPurgeEntity)
}
