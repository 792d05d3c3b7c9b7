import { query, type Db } from '@recto/database'
import { Any, LessThanOrEqual } from 'typeorm'
import { GitOperationEntity } from '../../features/git/git-operation.entity.ts'
import { DocumentEntity } from '../content/document.entity.ts'
import { TreeNodeEntity } from '../content/tree-node.entity.ts'
import { GarbageEntity } from './garbage.entity.ts'
import type { Kind, Stored } from './garbage.rules.ts'

const lock = `hashtextextended('stored content', 2)`

/**
 * Keeps what is stored under hashes from being freed until the transaction ends. Whoever relies on finding a hash holds this
 * from before they look until the revision that names it is kept.
 */
export async function holdStored(db: Db): Promise<void> {
  await query(db, `select pg_advisory_xact_lock_shared(${lock})`)
}

/** The opposite: while the transaction lasts nobody relies on a hash. False when somebody does; it never makes writers queue behind it. */
export async function holdAlone(db: Db): Promise<boolean> {
  const [held] = await query<{ alone: boolean }>(db, `select pg_try_advisory_xact_lock(${lock}) as alone`)
  return held?.alone === true
}

/** Whether a worker has an operation: it puts files into the blob store long before a revision names them. */
export async function isWorking(db: Db): Promise<boolean> {
  return db.existsBy(GitOperationEntity, { state: 'running' })
}

/** Notes what may be used by nobody any more. */
export async function note(db: Db, stored: Stored[], since: Date): Promise<void> {
  if (stored.length === 0) return
  await holdStored(db)
  await query(
    db,
    `insert into garbage (kind, hash, since)
     select distinct kind, hash, $3::timestamptz from unnest($1::text[], $2::text[]) as noted (kind, hash) order by kind, hash
     on conflict (kind, hash) do update set since = greatest(garbage.since, excluded.since)`,
    [stored.map(({ kind }) => kind), stored.map(({ hash }) => hash), since],
  )
}

/** Some of a kind that has been garbage for long enough. */
export async function noted(
  db: Db,
  { kind, until, limit }: { kind: Kind; until: Date; limit: number },
): Promise<string[]> {
  const found = await db.find(GarbageEntity, {
    where: { kind, since: LessThanOrEqual(until) },
    order: { since: 'ASC', hash: 'ASC' },
    take: limit,
  })
  return found.map(({ hash }) => hash)
}

/** Those that no revision and no node names. As hashes only name what was there before them, what nobody names nobody reaches. */
export async function unused(db: Db, hashes: string[]): Promise<string[]> {
  const rows = await query<{ hash: string }>(
    db,
    `select hash from unnest($1::text[]) as noted (hash)
     where not exists (select from tree_nodes where node_references(body) @> array[noted.hash])
       and not exists (select from revisions where array[pages_root, files_root, reusable_root] @> array[noted.hash])`,
    [hashes],
  )
  return rows.map(({ hash }) => hash)
}

/** Deletes tree nodes; gives their text. */
export async function deleteNodes(db: Db, hashes: string[]): Promise<string[]> {
  const { raw } = await db
    .createQueryBuilder()
    .delete()
    .from(TreeNodeEntity)
    .where({ hash: Any(hashes) })
    .returning('body')
    .execute()
  return (raw as { body: string }[]).map(({ body }) => body)
}

export async function deleteDocuments(db: Db, hashes: string[]): Promise<void> {
  await db.delete(DocumentEntity, { hash: Any(hashes) })
}

/** Takes off what was freed, or is in use. */
export async function takeOff(db: Db, kind: Kind, hashes: string[]): Promise<void> {
  await db.delete(GarbageEntity, { kind, hash: Any(hashes) })
}

/** Throws when the transaction, and so its lock, has ended. */
export async function stillAlone(db: Db): Promise<void> {
  await query(db, 'select 1')
}
