import { query, type Db } from '@recto/database'
import type { JobTable } from '@recto/jobs'
import { createId } from '@recto/operation'
import { In, Not } from 'typeorm'
import { EdgePurgeEntity } from './edge-purge.entity.ts'
import { EdgeEntity, type EdgeRow } from './edge.entity.ts'
import { openPlaces, placeJobs } from './purge-places.repository.ts'

/** A tag that an edge has to drop. */
export interface DuePurge {
  tag: string
  /** The id of the latest request for the tag; a purge for an older one does not count for it. */
  generation: string
}

/**
 * Requests that all edges drop what they keep under these tags; takes effect when the transaction commits. Rows are written in one order, so
 * that two transactions never wait for each other.
 */
export async function requestEdgePurge(db: Db, tags: readonly string[]): Promise<void> {
  await query(
    db,
    `insert into edge_purges (edge, tag, generation, waits_since, round, due_at)
     select edges.id, tag, $2, now(), 0, date_trunc('milliseconds', now())
     from edges, (select distinct unnest($1::text[])) given (tag) order by edges.id, tag
     on conflict (edge, tag) do update set generation = excluded.generation, round = 0, due_at = excluded.due_at,
       waits_since = case edge_purges.round when 0 then edge_purges.waits_since else excluded.waits_since end`,
    [tags, createId()],
  )
}

/** Tags that are due to be dropped by an edge, those that wait longest first. */
export async function listDue(db: Db, edge: string, most: number): Promise<DuePurge[]> {
  return query<DuePurge>(
    db,
    'select tag, generation from edge_purges where edge = $1 and due_at <= now() order by due_at, tag limit $2',
    [edge, most],
  )
}

/**
 * Records that an edge took a purge: it is due again after the pause of its round in milliseconds, and over after the last one. What was
 * requested again since, or is being requested, stays due.
 */
export async function markTaken(
  db: Db,
  taken: readonly DuePurge[],
  { edge, pauses }: { edge: string; pauses: readonly number[] },
): Promise<void> {
  await query(
    db,
    `with same as (
       select tag, round, ($4::float8[])[round + 1] as pause from edge_purges
       where edge = $1 and (tag, generation) in (select * from unnest($2::text[], $3::text[])) for update skip locked
     ), finished as (
       delete from edge_purges using same where edge_purges.edge = $1 and edge_purges.tag = same.tag and same.pause is null
     )
     update edge_purges set round = same.round + 1, due_at = date_trunc('milliseconds', now()) + make_interval(secs => same.pause / 1000)
     from same where edge_purges.edge = $1 and edge_purges.tag = same.tag and same.pause is not null`,
    [edge, taken.map(({ tag }) => tag), taken.map(({ generation }) => generation), pauses],
  )
}

/** Edges as jobs: one is due while a tag of it is. */
export function edgeJobs(ids: readonly string[], leaseMs: number): JobTable<EdgeRow> {
  const due = `(select greatest(job.next_attempt_at, min(due_at)) from edge_purges where edge = job.id having count(*) > 0)`
  return placeJobs({ entity: EdgeEntity, key: 'id', keys: ids, due, leaseMs })
}

/** Writes the rows of the edges that there are, as `openPlaces` does, and forgets the others with what they had to drop. */
export async function openEdges(db: Db, ids: readonly string[]): Promise<void> {
  await openPlaces(db, { entity: EdgeEntity, key: 'id' }, ids)
  await db.delete(EdgeEntity, { id: Not(In([...ids])) })
  await db.delete(EdgePurgeEntity, { edge: Not(In([...ids])) })
}

/** Counts tags that edges have to drop now, and the seconds for which the oldest of them has waited. */
export async function dueState(db: Db): Promise<{ depth: number; oldest: number }> {
  const [row] = await query<{ depth: number; oldest: number | null }>(
    db,
    `select count(*)::int as depth,
       extract(epoch from now() - min(case round when 0 then waits_since else due_at end))::float8 as oldest
     from edge_purges where due_at <= now()`,
  )
  return { depth: row?.depth ?? 0, oldest: row?.oldest ?? 0 }
}
