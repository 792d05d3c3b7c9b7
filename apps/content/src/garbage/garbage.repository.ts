import { query, type Db } from '@recto/database'
import { Any, LessThanOrEqual } from 'typeorm'
import { emptyRoot } from '../content-map/content-map.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
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

/** Deletes the revisions of spaces and marks the roots of their maps as garbage. */
export async function deleteRevisions(db: Db, spaces: string[], since: Date): Promise<void> {
  await query(
    db,
    `with deleted as (delete from revisions where space_id = any($1) returning pages_root, files_root, reusable_root, computed_root)
     insert into garbage (kind, hash, since)
     select distinct 'node', root, $2::timestamptz from deleted, unnest(array[pages_root, files_root, reusable_root, computed_root]) as root
     where root <> $3 order by root
     on conflict (kind, hash) do update set since = greatest(garbage.since, excluded.since)`,
    [spaces, since, emptyRoot],
  )
}

/** Hashes of a kind that were marked at or before `until`, the oldest first. */
export async function listGarbage(
  db: Db,
  { kind, until, limit }: { kind: ContentKind; until: Date; limit: number },
): Promise<string[]> {
  const found = await db.find(GarbageEntity, {
    where: { kind, since: LessThanOrEqual(until) },
    order: { since: 'ASC', hash: 'ASC' },
    take: limit,
  })
  return found.map(({ hash }) => hash)
}

/**
 * Returns the hashes that no revision, no node, no upload and no PDF references. A node references only content that existed before it, so a direct
 * check suffices.
 */
export async function listUnreferenced(db: Db, hashes: string[]): Promise<string[]> {
  const rows = await query<{ hash: string }>(
    db,
    `select hash from unnest($1::text[]) as marked (hash)
     where not exists (select from tree_nodes where node_references(body) @> array[marked.hash])
       and not exists (select from revisions where array[pages_root, files_root, reusable_root] @> array[marked.hash])
       and not exists (select from revisions where computed_root = marked.hash and computed_root <> '${emptyRoot}')
       and not exists (select from uploads where uploads.hash = marked.hash)
       and not exists (select from pdfs where pdfs.hash = marked.hash)`,
    [hashes],
  )
  return rows.map(({ hash }) => hash)
}

/** Removes the marks of content that is freed or still referenced. */
export async function unmarkGarbage(db: Db, kind: ContentKind, hashes: string[]): Promise<void> {
  await db.delete(GarbageEntity, { kind, hash: Any(hashes) })
}
