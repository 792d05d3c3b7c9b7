import { prepared, query, type Db } from '@recto/database'
import { LRUCache } from 'lru-cache'
import { Any } from 'typeorm'
import { emptyRoot, type NodeHash, type NodeStore, parseNode, type TreeNode } from '../content-map/content-map.ts'
import { lockContent } from './content-lock.repository.ts'
import { DocumentEntity } from './document.entity.ts'
import type { NewDocument } from './new-document.ts'
import { TreeNodeEntity } from './tree-node.entity.ts'

const cachedBytes = 64 * 1024 * 1024
/** Nodes never change, so the cache needs no invalidation. */
const nodes = new LRUCache<NodeHash, TreeNode>({
  maxSize: cachedBytes,
  sizeCalculation: node => JSON.stringify(node).length,
})

/** The store of tree nodes, with a cache in this process. */
export function nodeStore(db: Db): NodeStore {
  return {
    async load(hashes) {
      const loadedNodes = new Map<NodeHash, TreeNode>()
      const missing: NodeHash[] = []
      for (const hash of hashes) {
        const node = hash === emptyRoot ? { leaf: [] } : nodes.get(hash)
        if (node) loadedNodes.set(hash, node)
        else missing.push(hash)
      }
      if (missing.length === 0) return loadedNodes
      const rows = await query<{ hash: string; body: string }>(
        db,
        `select hash, body from tree_nodes where hash = any($1)`,
        [missing],
      )
      for (const { hash, body } of rows) {
        const node = parseNode(body)
        nodes.set(hash, node)
        loadedNodes.set(hash, node)
      }
      return loadedNodes
    },
  }
}

/** Stores nodes unless they are stored already, and keeps all of them from being freed until the transaction ends. */
export async function insertNodes(db: Db, newNodes: Map<NodeHash, string>): Promise<void> {
  await lockContent(db)
  const values = [[...newNodes.keys()], [...newNodes.values()]]
  await query(
    db,
    `insert into tree_nodes (hash, body) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
    values,
  )
}

/** Deletes tree nodes and returns their bodies (canonical JSON). */
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

/** Finds the hashes that have a stored document. */
export async function findStoredHashes(db: Db, hashes: string[]): Promise<Set<string>> {
  const rows = await query<{ hash: string }>(db, `select hash from documents where hash = any($1)`, [hashes])
  return new Set(rows.map(row => row.hash))
}

/** Finds the documents that contain a text. */
export async function hashesContaining(db: Db, hashes: string[], text: string): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await query<{ hash: string }>(
    db,
    `select hash from documents where hash = any($1) and position($2::bytea in bytes) > 0`,
    [hashes, Buffer.from(text)],
  )
  return new Set(rows.map(row => row.hash))
}

/** Stores documents unless they are stored already, and keeps all of them from being freed until the transaction ends. */
export async function insertDocuments(db: Db, documents: NewDocument[]): Promise<void> {
  await lockContent(db)
  const values = [documents.map(({ hash }) => hash), documents.map(({ bytes }) => bytes)]
  await query(
    db,
    `insert into documents (hash, bytes) select * from unnest($1::text[], $2::bytea[]) on conflict do nothing`,
    values,
  )
}

const document = prepared<{ bytes: Buffer }>('document', `select bytes from documents where hash = $1`)

/** Reads a page's Markdown file, byte for byte; undefined when there is no document with this hash. */
export async function documentBytes(db: Db, hash: string): Promise<Buffer | undefined> {
  const [row] = await document(db, [hash])
  return row?.bytes
}

/** Reads documents by hash; missing documents are left out. */
export async function documentsByHash(db: Db, hashes: string[]): Promise<Map<string, Buffer>> {
  if (hashes.length === 0) return new Map()
  const rows = await query<{ hash: string; bytes: Buffer }>(
    db,
    `select hash, bytes from documents where hash = any($1)`,
    [hashes],
  )
  return new Map(rows.map(({ hash, bytes }) => [hash, bytes]))
}

/** Deletes documents by hash. */
export async function deleteDocuments(db: Db, hashes: string[]): Promise<void> {
  await db.delete(DocumentEntity, { hash: Any(hashes) })
}
