import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { ManifestCache } from './manifest-cache.ts'

/** One bare repository of the cache. */
export interface Clone {
  gitdir: string
}

const exportSuffix = /\.export$/

/** The folder beside a clone for the objects that an export writes: a fetch may empty the clone meanwhile. */
export function exportFolder(gitdir: string): string {
  return `${gitdir}.export`
}

/** Caches bare repositories between imports, up to a number of bytes (least recently used evicted first). */
export class CloneCache {
  readonly manifests = new ManifestCache()
  readonly #folder: string
  readonly #maxBytes: number
  readonly #busy = new Map<string, Promise<unknown>>()

  constructor(options: { folder: string; maxBytes: number }) {
    this.#folder = options.folder
    this.#maxBytes = options.maxBytes
  }

  /** Runs work on the clone of a repository of one space; calls for the same clone run one after another. */
  async use<T>(
    repository: { spaceId: string; url: string; repoCacheID?: string | undefined },
    work: (clone: Clone) => Promise<T>,
  ): Promise<T> {
    const name = cloneName(repository)
    const before = this.#busy.get(name) ?? Promise.resolve()
    const turn = before.catch(() => undefined).then(() => this.#work(name, work))
    this.#busy.set(name, turn)
    try {
      return await turn
    } finally {
      if (this.#busy.get(name) === turn) this.#busy.delete(name)
      await this.#evict()
    }
  }

  async #work<T>(name: string, work: (clone: Clone) => Promise<T>): Promise<T> {
    const gitdir = join(this.#folder, name)
    await mkdir(gitdir, { recursive: true })
    try {
      return await work({ gitdir })
    } finally {
      const now = new Date()
      await utimes(gitdir, now, now).catch(() => undefined)
    }
  }

  async #evict(): Promise<void> {
    const clones = await Promise.all((await readdir(this.#folder).catch(() => [])).map(name => this.#measure(name)))
    let total = clones.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { name, bytes } of clones.sort((a, b) => a.used - b.used)) {
      if (total <= this.#maxBytes) return
      if (this.#busy.has(name.replace(exportSuffix, ''))) continue
      await this.#remove(name)
      total -= bytes
    }
  }

  /** Calls for the clone wait until the removal is done. */
  async #remove(name: string): Promise<void> {
    const removal = rm(join(this.#folder, name), { recursive: true, force: true })
    this.#busy.set(name, removal)
    try {
      await removal
    } finally {
      if (this.#busy.get(name) === removal) this.#busy.delete(name)
    }
  }

  async #measure(name: string): Promise<{ name: string; bytes: number; used: number }> {
    const gitdir = join(this.#folder, name)
    // Every file counts: a killed fetch leaves its incoming pack behind.
    const files = await readdir(gitdir, { recursive: true, withFileTypes: true }).catch(() => [])
    const sizes = await Promise.all(
      files
        .filter(file => file.isFile())
        .map(file =>
          stat(join(file.parentPath, file.name)).then(
            ({ size }) => size,
            () => 0,
          ),
        ),
    )
    const used = await stat(gitdir).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    return { name, bytes: sizes.reduce((sum, size) => sum + size, 0), used }
  }
}

function cloneName({
  spaceId,
  url,
  repoCacheID,
}: {
  spaceId: string
  url: string
  repoCacheID?: string | undefined
}): string {
  const identity = repoCacheID === undefined ? ['url', spaceId, url] : ['id', spaceId, repoCacheID]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex')
}
