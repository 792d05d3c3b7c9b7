import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { insertRows, readRows } from './template-rows.ts'

/** The stored content of the template: what is found by its SHA-256, and the revisions that name it. */
export interface TemplateContent {
  documents: { hash: string; text: string }[]
  nodes: Map<string, string>
  revisions: string[]
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const anyHash = /[0-9a-f]{64}/g

/** Reads the documents and tree nodes of a database that has no other content; throws when one is not stored by its SHA-256. */
export async function readTemplateContent(client: Client, revisions: string[]): Promise<TemplateContent> {
  const parse = (row: string) => JSON.parse(row) as { hash: string; body: string; bytes: string }
  const documents = (await readRows(client, 'documents')).map(parse).map(({ hash, bytes }) => ({
    hash,
    text: Buffer.from(bytes.slice(2), 'hex').toString(),
  }))
  const nodes = (await readRows(client, 'tree_nodes'))
    .map(parse)
    .map(({ hash, body }): [string, string] => [hash, body])
  const stored = [...documents.map(({ hash, text }): [string, string] => [hash, text]), ...nodes]
  const other = stored.find(([hash, text]) => sha256(text) !== hash)
  if (other) throw new Error(`What is stored as ${other[0]} has another SHA-256`)
  return { documents, nodes: new Map(nodes), revisions }
}

/** Inserts the content of copies; `replace` makes the text of one of them. */
export async function insertContent(
  client: Client,
  content: TemplateContent,
  replacements: ((text: string) => string)[],
): Promise<void> {
  const rows = { documents: [] as string[], nodes: [] as string[], revisions: [] as string[] }
  for (const replace of replacements) {
    const copy = copyContent(content, replace)
    for (const [hash, text] of copy.documents)
      rows.documents.push(JSON.stringify({ hash, bytes: `\\x${Buffer.from(text).toString('hex')}` }))
    for (const [hash, body] of copy.nodes) rows.nodes.push(JSON.stringify({ hash, body }))
    rows.revisions.push(...copy.revisions)
  }
  await insertRows(client, 'documents', rows.documents)
  await insertRows(client, 'tree_nodes', rows.nodes)
  await insertRows(client, 'revisions', rows.revisions)
}

interface CopiedContent {
  documents: Map<string, string>
  nodes: Map<string, string>
  revisions: string[]
}

/** Copies texts and whatever names them by their hash: the entries keep their ids, and so their places in the tree. */
function copyContent(
  { documents, nodes, revisions }: TemplateContent,
  replace: (text: string) => string,
): CopiedContent {
  const copied = { documents: new Map<string, string>(), nodes: new Map<string, string>() }
  const hashes = new Map<string, string>()
  for (const { hash, text } of documents) {
    const nextText = replace(text)
    const nextHash = sha256(nextText)
    hashes.set(hash, nextHash)
    copied.documents.set(nextHash, nextText)
  }
  const hashOf = (hash: string): string => {
    const copiedHash = hashes.get(hash)
    if (copiedHash !== undefined) return copiedHash
    const body = nodes.get(hash)
    if (body === undefined) return hash
    const nextBody = replace(body).replace(anyHash, hashOf)
    const nextHash = sha256(nextBody)
    hashes.set(hash, nextHash)
    copied.nodes.set(nextHash, nextBody)
    return nextHash
  }
  for (const hash of nodes.keys()) hashOf(hash)
  return { ...copied, revisions: revisions.map(row => replace(row).replace(anyHash, hashOf)) }
}
