import { query, type Db } from '@recto/database'

/** Rows that are read by one statement. */
const batch = 1_000

/** A subquery for the tree nodes whose bodies name a hash, which is an SQL expression. */
export const nodesHolding = (hash: string): string =>
  `select from tree_nodes where node_references(body) @> array[${hash}]`

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

/** The nodes whose bodies name one of the hashes; all of them unless there is a limit. */
export async function nodesNaming(db: Db, hashes: readonly string[], limit?: number): Promise<string[]> {
  const rows = await query<{ hash: string }>(
    db,
    `select hash from tree_nodes where node_references(body) && $1::text[]${limit === undefined ? '' : ` limit ${limit}`}`,
    [hashes],
  )
  return rows.map(({ hash }) => hash)
}
