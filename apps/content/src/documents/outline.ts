import type { Db } from '@recto/database'
import { type PageOutline as Outline, unparsedPageOutline } from '@recto/markdown'
import pMap from 'p-map'
import { documentsByHash } from '../content-store/content.repository.ts'
import { createParseCache, type MarkdownPool, orFallback, parseOnce } from './parse-once.ts'

export type { PageOutline as Outline } from '@recto/markdown'

/** Bytes of the documents whose outlines are cached. */
const cachedBytes = 8 * 1024 * 1024
/** Documents in memory at once. */
const batch = 64
/** Documents that a thread parses in one task. */
const perTask = 8
/** Tasks of a batch that wait for a thread at once, so that reads need not wait for the whole batch. */
const atOnce = 2

/** Documents never change, so the cache needs no invalidation. */
const outlines = createParseCache<Outline>(cachedBytes)

/** The sections, anchors and references of a document, parsed once per hash in a worker thread. One that takes too long is one section. */
export function outlineOf(pool: MarkdownPool, { hash, bytes }: { hash: string; bytes: Buffer }): Promise<Outline> {
  return parseOnce(outlines, { key: hash, length: bytes.length }, () => {
    const markdown = bytes.toString()
    return orFallback(pool.run('outline', { markdown }), () => unparsedPageOutline(markdown))
  })
}

/**
 * Calls back with the outline of each document, a batch at a time, so that memory stays bounded however many there are. The threads
 * parse a batch while the one before it is used; statements stay one after another, since a transaction has one connection.
 */
export async function forEachOutline(
  tools: { db: Db; markdown: MarkdownPool },
  hashes: Iterable<string>,
  use: (outlines: Map<string, Outline>) => Promise<void>,
): Promise<void> {
  const distinctHashes = [...new Set(hashes)]
  let next = await startBatch(tools, distinctHashes.slice(0, batch))
  for (let at = batch; next; at += batch) {
    const parsed = await next.parsed
    next = await startBatch(tools, distinctHashes.slice(at, at + batch))
    await use(parsed)
  }
}

/** Loads documents and starts to parse them; undefined when there are none. */
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
  // Reported by who awaits it, unless the batch before it fails.
  parsed.catch(() => undefined)
  return { parsed }
}

type Parsed = readonly [hash: string, outline: Outline]

async function parseAll(pool: MarkdownPool, documents: Map<string, Buffer>): Promise<Parsed[]> {
  const all = [...documents].map(([hash, bytes]) => ({ hash, bytes }))
  const groups = Array.from({ length: Math.ceil(all.length / perTask) }, (_, at) =>
    all.slice(at * perTask, (at + 1) * perTask),
  )
  const parsed = await pMap(groups, group => parseGroup(pool, group), { concurrency: atOnce })
  return parsed.flat()
}

/** Parses several documents in one task; one after another when they exceed a limit together. */
async function parseGroup(pool: MarkdownPool, group: { hash: string; bytes: Buffer }[]): Promise<Parsed[]> {
  const markdown = group.map(({ bytes }) => bytes.toString())
  const parsed = await orFallback<Outline[] | undefined>(pool.run('outlines', { markdown }), () => undefined)
  if (!parsed) return pMap(group, async one => [one.hash, await outlineOf(pool, one)] as const, { concurrency: 1 })
  return group.flatMap(({ hash, bytes }, at) => {
    const outline = parsed[at]
    if (!outline) return []
    outlines.set(hash, outline, { size: 1 + bytes.length })
    return [[hash, outline] as const]
  })
}
