import { query, type Db } from '@recto/database'
import { emptyRoot } from '../content-map/content-map.ts'
import { GarbageEntity } from '../garbage/garbage.entity.ts'
import type { ContentRef } from '../garbage/garbage.rules.ts'

/** Rows that are read by one statement. */
const batch = 1_000

/** All tree nodes with their bodies (canonical JSON), in the order of hashes. */
export async function* allNodes(db: Db): AsyncGenerator<{ hash: string; body: string }> {
  for (let after = ''; ;) {
    const rows = await query<{ hash: string; body: string }>(
      db,
      `select hash, body from tree_nodes where hash > $1 order by hash limit ${batch}`,
      [after],
    )
    yield* rows
    if (rows.length < batch) return
    after = rows.at(-1)?.hash ?? ''
  }
}

/** The hashes of all documents. */
export async function documentHashes(db: Db): Promise<string[]> {
  const rows = await query<{ hash: string }>(db, 'select hash from documents')
  return rows.map(({ hash }) => hash)
}

/** The roots of the maps of all revisions, each once. */
export async function revisionRoots(db: Db): Promise<string[]> {
  const rows = await query<{ root: string }>(
    db,
    `select distinct root from revisions, unnest(array[pages_root, files_root, reusable_root, computed_root]) as root where root <> '${emptyRoot}'`,
  )
  return rows.map(({ root }) => root)
}

/** The blobs that rows name: of uploads that no revision names yet, and of PDFs. */
export async function blobsOfRows(db: Db): Promise<string[]> {
  const rows = await query<{ hash: string }>(
    db,
    'select hash from uploads where hash is not null union select hash from pdfs where hash is not null',
  )
  return rows.map(({ hash }) => hash)
}

/** The rows besides revisions that refer to a blob. */
export async function rowsNaming(db: Db, hash: string): Promise<('PDF' | 'upload')[]> {
  const rows = await query<{ kind: 'PDF' | 'upload' }>(
    db,
    `select 'upload' as kind from uploads where hash = $1 union select 'PDF' from pdfs where hash = $1 order by kind`,
    [hash],
  )
  return rows.map(({ kind }) => kind)
}

/** Content that waits to be freed. */
export async function markedContent(db: Db): Promise<ContentRef[]> {
  return db.find(GarbageEntity, { select: { kind: true, hash: true } })
}

/** The nodes whose bodies name one of the hashes. */
export async function nodesNaming(db: Db, hashes: readonly string[]): Promise<string[]> {
  const rows = await query<{ hash: string }>(
    db,
    'select hash from tree_nodes where node_references(body) && $1::text[]',
    [hashes],
  )
  return rows.map(({ hash }) => hash)
}

/** Revisions that have one of the hashes as a root. */
export async function revisionsWithRoot(db: Db, roots: readonly string[]): Promise<{ id: string; spaceId: string }[]> {
  return query(
    db,
    `select id, space_id as "spaceId" from revisions
     where array[pages_root, files_root, reusable_root, computed_root] && $1::text[] order by space_id, created_at`,
    [roots],
  )
}
