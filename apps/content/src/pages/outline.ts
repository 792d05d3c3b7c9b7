import type { Db } from '@recto/database'
import { type Outline, readOutline } from '@recto/markdown'
import { LRUCache } from 'lru-cache'
import { documentsByHash } from '../store/content/content.repository.ts'

export type { Outline } from '@recto/markdown'

/** UTF-16 code units of text in cached outlines. */
const cachedLength = 8 * 1024 * 1024
/** Documents in memory at once. */
const batch = 64

/** Documents never change, so the cache needs no invalidation. */
const outlines = new LRUCache<string, Outline>({ maxSize: cachedLength, sizeCalculation: lengthOf })

/** The sections, anchors and references of a document, parsed once per hash. */
export async function outlineOf(hash: string, bytes: Buffer): Promise<Outline> {
  const known = outlines.get(hash)
  if (known) return known
  const outline = readOutline(bytes.toString())
  outlines.set(hash, outline)
  return outline
}

/** Calls back with the outline of each document, a batch at a time, so that memory stays bounded however many there are. */
export async function forEachOutline(
  db: Db,
  hashes: Iterable<string>,
  use: (outlines: Map<string, Outline>) => Promise<void>,
): Promise<void> {
  const wanted = [...new Set(hashes)]
  for (let at = 0; at < wanted.length; at += batch) await use(await loadOutlines(db, wanted.slice(at, at + batch)))
}

async function loadOutlines(db: Db, hashes: string[]): Promise<Map<string, Outline>> {
  const found = new Map<string, Outline>()
  const missing = hashes.filter(hash => {
    const known = outlines.get(hash)
    if (known) found.set(hash, known)
    return !known
  })
  for (const [hash, bytes] of await documentsByHash(db, missing)) {
    found.set(hash, await outlineOf(hash, bytes))
    // Parsing blocks: other requests get their turn between two documents.
    await new Promise(setImmediate)
  }
  return found
}

function lengthOf({ sections, anchors, references }: Outline): number {
  const texts = sections.reduce((sum, { text, title }) => sum + text.length + title.length, 0)
  return 1 + texts + 32 * (anchors.length + references.length)
}
