import type { Db } from '@recto/database'
import { type PageOutline as Outline, unparsedPageOutline } from '@recto/markdown'
import pMap from 'p-map'
import { documentsByHash } from '../content-store/content.repository.ts'
import { createParseCache, type MarkdownPool, orFallback, parseOnce } from './parse-once.ts'

export type { PageOutline as Outline } from '@recto/markdown'

/** Size of the cache, in bytes of the documents whose outlines it has. */
const cachedBytes = 8 * 1024 * 1024
/** Documents that are in memory at the same time. */
const batchSize = 64
/** Documents that a thread parses in one task. */
const documentsPerTask = 8
/** Tasks of a batch that wait for a thread at the same time; few, so that readers need not wait for the whole batch. */
const concurrentTasks = 2

/** Documents never change, so the cache needs no invalidation. */
const outlines = createParseCache<Outline>(cachedBytes)

/** Parses sections, anchors and references of a document, once per hash, in a worker thread. A text that takes too long is one section. */
export function outlineOf(pool: MarkdownPool, { hash, bytes }: { hash: string; bytes: Buffer }): Promise<Outline> {
  return parseOnce(outlines, { key: hash, length: bytes.length }, () => {
    const markdown = bytes.toString()
    return orFallback(pool.run('outline', { markdown }), () => unparsedPageOutline(markdown))
  })
}

/**
 * Calls back with the outlines of documents, a batch at a time, so that memory stays bounded. The threads parse a batch while the batch
 * before it is used; statements run one after another, since a transaction has one connection.
 */
export async function forEachOutline(
  tools: { db: Db; markdown: MarkdownPool },
  hashes: Iterable<string>,
  use: (outlines: Map<string, Outline>) => Promise<void>,
): Promise<void> {
  const distinctHashes = [...new Set(hashes)]
  let next = await startBatch(tools, distinctHashes.slice(0, batchSize))
  for (let at = batchSize; next; at += batchSize) {
    const outlinesOfBatch = await next.parsed
    next = await startBatch(tools, distinctHashes.slice(at, at + batchSize))
    await use(outlinesOfBatch)
  }
}

/** Loads a batch of documents and starts to parse them; undefined without documents. */
async function startBatch(
  { db, markdown }: { db: Db; markdown: MarkdownPool },
  hashes: string[],
): Promise<{ parsed: Promise<Map<string, Outline>> } | undefined> {
  if (hashes.length === 0) return undefined
  const entries = hashes.flatMap(hash => {
    const outline = outlines.get(hash)
    return outline ? [[hash, outline] as const] : []
  })
  const cached = new Map(entries)
  const documents = await documentsByHash(
    db,
    hashes.filter(hash => !cached.has(hash)),
  )
  const parsed = parseAll(markdown, documents).then(read => new Map([...cached, ...read]))
  // The caller awaits and reports a failure, unless the batch before it fails first.
  parsed.catch(() => undefined)
  return { parsed }
}

type OutlineEntry = readonly [hash: string, outline: Outline]

async function parseAll(pool: MarkdownPool, documents: Map<string, Buffer>): Promise<OutlineEntry[]> {
  const all = [...documents].map(([hash, bytes]) => ({ hash, bytes }))
  const groups = Array.from({ length: Math.ceil(all.length / documentsPerTask) }, (_, at) =>
    all.slice(at * documentsPerTask, (at + 1) * documentsPerTask),
  )
  const groupResults = await pMap(groups, group => parseGroup(pool, group), { concurrency: concurrentTasks })
  return groupResults.flat()
}

/** Parses several documents in one task, or one after another when together they exceed a limit. */
async function parseGroup(pool: MarkdownPool, group: { hash: string; bytes: Buffer }[]): Promise<OutlineEntry[]> {
  const markdown = group.map(({ bytes }) => bytes.toString())
  const outlinesOfGroup = await orFallback<Outline[] | undefined>(pool.run('outlines', { markdown }), () => undefined)
  if (!outlinesOfGroup)
    return pMap(group, async one => [one.hash, await outlineOf(pool, one)] as const, { concurrency: 1 })
  return group.flatMap(({ hash, bytes }, at) => {
    const outline = outlinesOfGroup[at]
    if (!outline) return []
    outlines.set(hash, outline, { size: 1 + bytes.length })
    return [[hash, outline] as const]
  })
}
