import { query, type Db } from '@recto/database'
import type { JobTable } from '@recto/jobs'
import { createId } from '@recto/operation'
import { requestEdgePurge } from './edge-purges.repository.ts'
import { edgeTagOf } from './edges.rules.ts'
import { openPlaces, placeJobs } from './purge-places.repository.ts'
import { ReaderEntity, type ReaderRow } from './reader.entity.ts'
import { ReaderPurgeEntity } from './reader-purge.entity.ts'

/** A tag that a reader has to purge. */
export interface PendingPurge {
  tag: string
  /** The id of the latest request for the tag; a purge for an older one does not finish it. */
  generation: string
}

/**
 * Requests that all readers, and all edges in front of them, drop what they keep under these tags; takes effect when the transaction commits.
 * Tags are written in one order, so that two transactions never wait for each other.
 */
export async function requestPurge(db: Db, tags: readonly string[]): Promise<void> {
  await query(
    db,
    `insert into reader_purges (tag, generation, requested_at, done_by)
     select tag, $2, now(), '{}' from (select distinct unnest($1::text[])) given (tag) order by tag
     on conflict (tag) do update set generation = excluded.generation, requested_at = excluded.requested_at, done_by = '{}'`,
    [tags, createId()],
  )
  await requestEdgePurge(db, tags.map(edgeTagOf))
}

/** Tags that a reader has to purge, those that wait longest first. */
export async function listPending(db: Db, reader: string, most: number): Promise<PendingPurge[]> {
  return query<PendingPurge>(
    db,
    'select tag, generation from reader_purges where not $1 = any(done_by) order by requested_at limit $2',
    [reader, most],
  )
}

/** Readers as jobs: one is due while a tag waits for it. */
export function readerJobs(urls: readonly string[], leaseMs: number): JobTable<ReaderRow> {
  const due = `case when exists (select from reader_purges where not job.url = any(done_by)) then job.next_attempt_at end`
  return placeJobs({ entity: ReaderEntity, key: 'url', keys: urls, due, leaseMs })
}

/** Writes the rows of readers, as `openPlaces` does. */
export async function openReaders(db: Db, urls: readonly string[]): Promise<void> {
  await openPlaces(db, { entity: ReaderEntity, key: 'url' }, urls)
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
