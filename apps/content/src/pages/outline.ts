import type { Db } from '@recto/database'
import { type Outline, unparsedOutline } from '@recto/markdown'
import { LRUCache } from 'lru-cache'
import pMap from 'p-map'
import { documentsByHash } from '../store/content/content.repository.ts'
import { type MarkdownPool, orFallback, parseOnce } from './parse-once.ts'

export type { Outline } from '@recto/markdown'

/** Bytes of the documents whose outlines are cached. */
const cachedBytes = 8 * 1024 * 1024
/** Documents in memory at once. */
const batch = 64
/** Documents of a batch that wait for a thread at once, so that reads need not wait for the whole batch. */
const atOnce = 2

/** Documents never change, so the cache needs no invalidation. */
const outlines = new LRUCache<string, Outline>({ maxSize: cachedBytes })

/** The sections, anchors and references of a document, parsed once per hash in a worker thread. One that takes too long is one section. */
export function outlineOf(pool: MarkdownPool, { hash, bytes }: { hash: string; bytes: Buffer }): Promise<Outline> {
  return parseOnce(outlines, { key: hash, length: bytes.length }, () => {
    const markdown = bytes.toString()
    return orFallback(pool.run('outline', { markdown }), () => unparsedOutline(markdown))
  })
}

/** Calls back with the outline of each document, a batch at a time, so that memory stays bounded however many there are. */
export async function forEachOutline(
  { db, markdown }: { db: Db; markdown: MarkdownPool },
  hashes: Iterable<string>,
  use: (outlines: Map<string, Outline>) => Promise<void>,
): Promise<void> {
  const wanted = [...new Set(hashes)]
  for (let at = 0; at < wanted.length; at += batch)
    await use(await loadOutlines({ db, markdown }, wanted.slice(at, at + batch)))
}

async function loadOutlines(
  { db, markdown }: { db: Db; markdown: MarkdownPool },
  hashes: string[],
): Promise<Map<string, Outline>> {
  const known = hashes.flatMap(hash => {
    const outline = outlines.get(hash)
    return outline ? [[hash, outline] as const] : []
  })
  const found = new Map(known)
  const missing = await documentsByHash(
    db,
    hashes.filter(hash => !found.has(hash)),
  )
  const parse = async ([hash, bytes]: [string, Buffer]) => [hash, await outlineOf(markdown, { hash, bytes })] as const
  return new Map([...found, ...(await pMap(missing, parse, { concurrency: atOnce }))])
}
