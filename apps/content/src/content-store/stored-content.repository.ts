import { query, type Db } from '@recto/database'

/** Rows read by one statement. */
const batchSize = 1_000

/** A subquery for the tree nodes whose bodies name a hash, given as an SQL expression. */
export const nodesHolding = (hash: string): string =>
  `select from tree_nodes where node_references(body) @> array[${hash}]`

/** Reads all tree nodes with their bodies (canonical JSON), in the order of hashes. */
export async function* allNodes(db: Db): AsyncGenerator<{ hash: string; body: string }> {
  for (let after = ''; ;) {
    const rows = await query<{ hash: string; body: string }>(
      db,
      `select hash, body from tree_nodes where hash > $1 order by hash limit ${batchSize}`,
      [after],
    )
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)?.hash ?? ''
  }
}

/** Reads the hashes of all documents. */
export async function documentHashes(db: Db): Promise<string[]> {
  const rows = await query<{ hash: string }>(db, 'select hash from documents')
  return rows.map(({ hash }) => hash)
}

/** Finds the nodes whose bodies name one of the hashes, up to the limit if there is one. */
export async function findNodesNaming(db: Db, hashes: readonly string[], limit?: number): Promise<string[]> {
  const rows = await query<{ hash: string }>(
    db,
    `select hash from tree_nodes where node_references(body) && $1::text[]${limit === undefined ? '' : ` limit ${limit}`}`,
    [hashes],
  )
  return rows.map(({ hash }) => hash)
}
