import { query, type Db } from '@recto/database'
import { Any, LessThanOrEqual } from 'typeorm'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { nodesHolding } from '../content-store/stored-content.repository.ts'
import { GarbageEntity } from './garbage.entity.ts'
import type { ContentKind, ContentRef } from './garbage.rules.ts'

/** Marks content that may be unreferenced from now on. A mark that exists already gets the later time. */
export async function markGarbage(db: Db, refs: ContentRef[], since: Date): Promise<void> {
  if (refs.length === 0) return
  await lockContent(db)
  await query(
    db,
    `insert into garbage (kind, hash, since)
     select distinct kind, hash, $3::timestamptz from unnest($1::text[], $2::text[]) as marked (kind, hash) order by kind, hash
     on conflict (kind, hash) do update set since = greatest(garbage.since, excluded.since)`,
    [refs.map(({ kind }) => kind), refs.map(({ hash }) => hash), since],
  )
}

/** Lists hashes of a kind that were marked at or before `until`, the oldest first. */
export async function listGarbage(
  db: Db,
  { kind, until, limit }: { kind: ContentKind; until: Date; limit: number },
): Promise<string[]> {
  const rows = await db.find(GarbageEntity, {
    where: { kind, since: LessThanOrEqual(until) },
    order: { since: 'ASC', hash: 'ASC' },
    take: limit,
  })
  return rows.map(({ hash }) => hash)
}

/** Returns subqueries for the rows of a room that hold a hash, given as an SQL expression. */
export type ContentHolder = (hash: string) => string[]

/**
 * Lists the hashes that no node and no row of the holders references. A node references only content that existed before it, so that
 * checking direct references suffices.
 */
export async function listUnreferenced(db: Db, hashes: string[], holders: readonly ContentHolder[]): Promise<string[]> {
  const references = [nodesHolding('marked.hash'), ...holders.flatMap(holder => holder('marked.hash'))]
  const rows = await query<{ hash: string }>(
    db,
    `select hash from unnest($1::text[]) as marked (hash)
     where ${references.map(subquery => `not exists (${subquery})`).join(' and ')}`,
    [hashes],
  )
  return rows.map(({ hash }) => hash)
}

/** Lists all content that is marked as garbage. */
export async function listAllGarbage(db: Db): Promise<ContentRef[]> {
  return db.find(GarbageEntity, { select: { kind: true, hash: true } })
}

/** Removes the marks of content that is freed or still referenced. */
export async function unmarkGarbage(db: Db, kind: ContentKind, hashes: string[]): Promise<void> {
  await db.delete(GarbageEntity, { kind, hash: Any(hashes) })
}
