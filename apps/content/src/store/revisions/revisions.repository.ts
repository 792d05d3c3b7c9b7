import { columnsOf, prepared, query, type Db } from '@recto/database'
import { LRUCache } from 'lru-cache'
import { holdStored } from '../garbage/garbage.repository.ts'
import { emptyRoot, parseNode, type NodeHash, type NodeStore, type TreeNode } from '../content-map/content-map.ts'
import { RevisionEntity, type RevisionRow } from './revision.entity.ts'

const columns = columnsOf(RevisionEntity, 'revisions')

const byId = prepared<RevisionRow>('revision', `select ${columns} from revisions where id = $1`)

export async function find(db: Db, id: string): Promise<RevisionRow | undefined> {
  const [revision] = await byId(db, [id])
  return revision
}

export async function insert(db: Db, revision: RevisionRow): Promise<void> {
  await db.insert(RevisionEntity, revision)
}

const cachedBytes = 64 * 1024 * 1024
/** Nodes never change, so the cache needs no invalidation. */
const nodes = new LRUCache<NodeHash, TreeNode>({
  maxSize: cachedBytes,
  sizeCalculation: node => JSON.stringify(node).length,
})

/** Reads tree nodes through a cache of this process. */
export function nodeStore(db: Db): NodeStore {
  return {
    async load(hashes) {
      const found = new Map<NodeHash, TreeNode>()
      const missing: NodeHash[] = []
      for (const hash of hashes) {
        const node = hash === emptyRoot ? { leaf: [] } : nodes.get(hash)
        if (node) found.set(hash, node)
        else missing.push(hash)
      }
      if (missing.length === 0) return found
      const rows = await query<{ hash: string; body: string }>(
        db,
        `select hash, body from tree_nodes where hash = any($1)`,
        [missing],
      )
      for (const { hash, body } of rows) {
        const node = parseNode(body)
        nodes.set(hash, node)
        found.set(hash, node)
      }
      return found
    },
  }
}

/** Stores nodes unless they are there, and keeps those that are until the transaction ends. */
export async function insertNodes(db: Db, made: Map<NodeHash, string>): Promise<void> {
  await holdStored(db)
  const values = [[...made.keys()], [...made.values()]]
  await query(
    db,
    `insert into tree_nodes (hash, body) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
    values,
  )
}

export async function hasDocuments(db: Db, hashes: string[]): Promise<Set<string>> {
  const rows = await query<{ hash: string }>(db, `select hash from documents where hash = any($1)`, [hashes])
  return new Set(rows.map(row => row.hash))
}

/** Stores documents unless they are there, and keeps those that are until the transaction ends. */
export async function insertDocuments(db: Db, documents: { hash: string; bytes: Buffer }[]): Promise<void> {
  await holdStored(db)
  const values = [documents.map(({ hash }) => hash), documents.map(({ bytes }) => bytes)]
  await query(
    db,
    `insert into documents (hash, bytes) select * from unnest($1::text[], $2::bytea[]) on conflict do nothing`,
    values,
  )
}

const document = prepared<{ bytes: Buffer }>('document', `select bytes from documents where hash = $1`)

/** A page's Markdown file, byte for byte. */
export async function documentBytes(db: Db, hash: string): Promise<Buffer | undefined> {
  const [found] = await document(db, [hash])
  return found?.bytes
}
