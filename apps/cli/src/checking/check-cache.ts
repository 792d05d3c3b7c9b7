import { hash } from 'node:crypto'
import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckedPage } from '@recto/markdown'
import { writePrivateFile } from '../terminal/private-file.ts'

/** Results of an earlier check of a folder, by what pages say. */
export interface CheckCache {
  /** Whether it has no result at all. */
  isEmpty: boolean
  find(markdown: string): CheckedPage | undefined
  add(markdown: string, page: CheckedPage): void
  /** Writes the results that were used or added since it was opened; a cache that cannot be written only costs time. */
  save(): Promise<void>
}

/** Where caches are, and the version of the parser that they are of. */
export interface CachePlace {
  folder: string
  parser: string
}

/** A file of a cache. */
interface CacheFile {
  parser: string
  pages: Record<string, CheckedPage>
}

/** Bytes of a file, above which nothing is written. */
const maxBytes = 64 * 1024 * 1024
/** Days that a cache stays without being used. */
const maxAgeDays = 30
const day = 86_400_000

/** The cache of nothing, which keeps nothing. */
export const noCache: CheckCache = {
  isEmpty: true,
  find: () => undefined,
  add: () => undefined,
  save: async () => undefined,
}

/** Opens the cache of a checked folder. One of another version of the parser, or that cannot be read, is empty. */
export async function openCheckCache(checkedFolder: string, { folder, parser }: CachePlace): Promise<CheckCache> {
  const path = await realpath(checkedFolder).catch(() => checkedFolder)
  const file = join(folder, `${hash('sha256', path)}.json`)
  const earlier = await readCache(file, parser)
  const pages = new Map<string, CheckedPage>()
  return {
    isEmpty: earlier.size === 0,
    find(markdown) {
      const key = hash('sha256', markdown)
      const page = earlier.get(key)
      if (page) pages.set(key, page)
      return page
    },
    add: (markdown, page) => void pages.set(hash('sha256', markdown), page),
    save: async () => {
      const isSame = pages.size === earlier.size && [...pages.keys()].every(key => earlier.has(key))
      if (isSame) return
      const cache: CacheFile = { parser, pages: Object.fromEntries(pages) }
      await writeCache(file, cache).catch(() => undefined)
      await removeOld(folder).catch(() => undefined)
    },
  }
}

async function readCache(file: string, parser: string): Promise<Map<string, CheckedPage>> {
  try {
    const cache = JSON.parse(await readFile(file, 'utf8')) as CacheFile
    return new Map(cache.parser === parser ? Object.entries(cache.pages) : [])
  } catch {
    return new Map()
  }
}

async function writeCache(file: string, cache: CacheFile): Promise<void> {
  const text = JSON.stringify(cache)
  if (text.length <= maxBytes) await writePrivateFile(file, text)
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs > maxAgeDays * day) await rm(file, { force: true })
  }
}

/** The version of a parser: its module names its bundle, by a hash of all that is in it; undefined where it cannot be read. */
export async function parserVersion(file: string): Promise<string | undefined> {
  try {
    return hash('sha256', `${process.version}\0${await readFile(file, 'utf8')}`)
  } catch {
    return undefined
  }
}
