import { columnsOf, type Db, listPage, type ListPage, type ListRequest, prepared, query } from '@recto/database'
import { Failure } from '@recto/operation'
import { Between, In, IsNull, MoreThanOrEqual, Not } from 'typeorm'
import { emptyRoot } from '../content-map/content-map.ts'
import { findNodesNaming } from '../content-store/stored-content.repository.ts'
import { type ContentHolder, markGarbage } from '../garbage/garbage.repository.ts'
import { RevisionEntity, type RevisionRow } from './revision.entity.ts'

const columns = columnsOf(RevisionEntity, 'revisions')

const byId = prepared<RevisionRow>('revision', `select ${columns} from revisions where id = $1`)

/** A revision by id. */
export async function find(db: Db, id: string): Promise<RevisionRow | undefined> {
  const [revision] = await byId(db, [id])
  return revision
}

/** A revision that a row references. Throws `internal` when it is gone. */
export async function get(db: Db, id: string): Promise<RevisionRow> {
  const revision = await find(db, id)
  if (!revision) throw new Failure('internal', `Revision ${id} is gone`)
  return revision
}

/** The revisions that the main content of a space has been, newest first. */
export async function listMain(db: Db, spaceId: string, request: ListRequest): Promise<ListPage<RevisionRow>> {
  const source = {
    sql: `select ${columns} from revisions where space_id = $1 and main_number is not null`,
    values: [spaceId],
    order: [{ column: 'mainNumber', type: 'int' }],
    direction: 'desc' as const,
  }
  return listPage<RevisionRow>(db, source, request)
}

/** The revisions that main content has been from this number on, the oldest first. */
export async function listMainFrom(
  db: Db,
  spaceId: string,
  { from, limit }: { from: number; limit: number },
): Promise<RevisionRow[]> {
  const where = { spaceId, mainNumber: MoreThanOrEqual(from) }
  return db.find(RevisionEntity, { where, order: { mainNumber: 'ASC' }, take: limit })
}

/** The time when main content moved on from a revision; undefined while it is the current one. */
export async function mainUntil(
  db: Db,
  { spaceId, mainNumber }: { spaceId: string; mainNumber: number },
): Promise<Date | undefined> {
  const next = await db.findOneBy(RevisionEntity, { spaceId, mainNumber: mainNumber + 1 })
  return next ? (next.mainSince ?? next.createdAt) : undefined
}

/** Nodes of content maps that a search for a document goes up: enough for a document that a thousand revisions hold. */
const searchedNodes = 2_000

/**
 * The newest revision of a space whose pages, computed pages or reusable contents have a document; undefined when none has it. It walks up
 * the content maps from the document, level by level, and stops after `searchedNodes` nodes, so that a widely shared document may be missed.
 */
export async function newestWithDocument(db: Db, spaceId: string, document: string): Promise<string | undefined> {
  const visited = new Set<string>()
  for (let level = [document]; level.length > 0 && visited.size < searchedNodes;) {
    level = (await findNodesNaming(db, level, searchedNodes)).filter(hash => !visited.has(hash))
    for (const hash of level) visited.add(hash)
    const [newest] = await query<{ id: string }>(
      db,
      `select id from revisions where space_id = $1
       and (array[pages_root, files_root, reusable_root] && $2::text[] or computed_root = any($2))
       order by created_at desc, id desc limit 1`,
      [spaceId, level],
    )
    if (newest) return newest.id
  }
  return undefined
}

/** Revisions by id; those that are gone are left out. */
export async function findAll(db: Db, ids: readonly string[]): Promise<RevisionRow[]> {
  return db.findBy(RevisionEntity, { id: In([...ids]) })
}

/** The merges among the revisions of main content after this number, newest first. */
export async function listMerges(
  db: Db,
  spaceId: string,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<RevisionRow[]> {
  const where = { spaceId, mainNumber: Between(after + 1, upTo), mergedFrom: Not(IsNull()) }
  return db.find(RevisionEntity, { where, order: { mainNumber: 'DESC' }, take: limit })
}

/** Revisions that `listSynchronised` reads. */
const maxSynchronised = 100

/**
 * Lists the latest revisions of a space that have a git commit and were main content or are a base, newest first, at most
 * `maxSynchronised`.
 */
export async function listSynchronised(db: Db, spaceId: string): Promise<RevisionRow[]> {
  return query<RevisionRow>(
    db,
    `select ${columns} from revisions
     where space_id = $1 and git is not null and (main_number is not null or (git->>'isBase')::boolean)
     order by created_at desc, id desc limit $2`,
    [spaceId, maxSynchronised],
  )
}

/** Appends a revision to the history of main content, after the former main content. The caller holds the lock of the space. */
export async function appendToMain(db: Db, { from, to }: { from: string; to: string }): Promise<void> {
  const before = await find(db, from)
  if (!before?.mainNumber) throw new Error(`Revision ${from} has no place in the history of main content`)
  await db.update(RevisionEntity, { id: to }, { mainNumber: before.mainNumber + 1, mainSince: new Date() })
}

/** Writes a new revision; the content it references must be stored in the same transaction or be held by `lockContent`. */
export async function insert(db: Db, revision: RevisionRow): Promise<void> {
  await db.insert(RevisionEntity, revision)
}

/** Deletes the revisions of spaces and marks the roots of their maps as garbage. */
export async function deleteRevisions(db: Db, spaces: string[], since: Date): Promise<void> {
  const roots = await query<{ hash: string }>(
    db,
    `with deleted as (delete from revisions where space_id = any($1) returning pages_root, files_root, reusable_root, computed_root)
     select distinct root as hash from deleted, unnest(array[pages_root, files_root, reusable_root, computed_root]) as root
     where root <> '${emptyRoot}'`,
    [spaces],
  )
  const refs = roots.map(({ hash }) => ({ kind: 'node' as const, hash }))
  await markGarbage(db, refs, since)
}

/** Subqueries for the revisions whose content has a root. */
export const revisionsHolding: ContentHolder = hash => [
  `select from revisions where array[pages_root, files_root, reusable_root] @> array[${hash}]`,
  `select from revisions where computed_root = ${hash} and computed_root <> '${emptyRoot}'`,
]

/** The roots of the maps of all revisions, each once. */
export async function allRoots(db: Db): Promise<string[]> {
  const rows = await query<{ root: string }>(
    db,
    `select distinct root from revisions, unnest(array[pages_root, files_root, reusable_root, computed_root]) as root where root <> '${emptyRoot}'`,
  )
  return rows.map(({ root }) => root)
}

/** Revisions that have one of the hashes as a root. */
export async function findWithRoot(db: Db, roots: readonly string[]): Promise<{ id: string; spaceId: string }[]> {
  return query(
    db,
    `select id, space_id as "spaceId" from revisions
     where array[pages_root, files_root, reusable_root, computed_root] && $1::text[] order by space_id, created_at`,
    [roots],
  )
}
