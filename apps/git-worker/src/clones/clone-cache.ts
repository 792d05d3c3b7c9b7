import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { ManifestCache } from './manifest-cache.ts'

/** One bare repository of the cache, in use by an operation; others may use it at the same time. */
export interface Clone {
  gitdir: string
  /** A folder beside the clone for the objects that this operation writes. */
  exportFolder: string
  /**
   * Runs work that changes the packs or refs of the clone, or opens its packs, when no other such work runs. Packs that are open can
   * be read at any time, even when the clone is emptied. Throws the signal's reason when it aborts first.
   */
  exclusively<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** The owner of a clone. Spaces of one organization share a clone by its cache id and the URL of the repository. */
export interface CloneOwner {
  organizationId: string
  spaceId: string
  url: string
  repoCacheID?: string | undefined
}

/** A clone that is in use, or being removed. */
interface Entry {
  users: number
  removal: Promise<void>
  turn: Promise<unknown>
}

const clonePattern = /^([0-9a-f]{64})(\.export-[\w-]+)?$/
const folderPrefix = 'push-'

/** Caches bare repositories between operations, up to a number of bytes (least recently used evicted first). The folder is of one process. */
export class CloneCache {
  readonly manifests = new ManifestCache()
  readonly #folder: string
  readonly #maxBytes: number
  readonly #entries = new Map<string, Entry>()

  constructor(options: { folder: string; maxBytes: number }) {
    this.#folder = options.folder
    this.#maxBytes = options.maxBytes
  }

  /** Deletes the folders of exports and pushes that a killed process left; no clone may be in use. */
  async clean(): Promise<void> {
    for (const name of await readdir(this.#folder))
      if (clonePattern.exec(name)?.[2] || name.startsWith(folderPrefix))
        await rm(join(this.#folder, name), { recursive: true, force: true })
  }

  /** Runs work with an empty folder beside the clones, which is removed afterwards. */
  async withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.#folder, `${folderPrefix}${randomUUID()}`)
    await mkdir(folder, { recursive: true })
    try {
      return await work(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Runs work on a clone, which is not evicted meanwhile. */
  async use<T>(owner: CloneOwner, work: (clone: Clone) => Promise<T>): Promise<T> {
    const name = cloneName(owner)
    const entry = this.#enter(name)
    try {
      await entry.removal
      return await this.#work(name, entry, work)
    } finally {
      entry.users--
      this.#forget(name, entry)
      await this.#evict()
    }
  }

  async #work<T>(name: string, entry: Entry, work: (clone: Clone) => Promise<T>): Promise<T> {
    const gitdir = join(this.#folder, name)
    await mkdir(gitdir, { recursive: true })
    try {
      return await work({
        gitdir,
        exportFolder: `${gitdir}.export-${randomUUID()}`,
        exclusively: (change, signal) => runExclusive(entry, change, signal),
      })
    } finally {
      const now = new Date()
      await utimes(gitdir, now, now).catch(() => undefined)
    }
  }

  #enter(name: string): Entry {
    const entry = this.#entries.get(name) ?? { users: 0, removal: Promise.resolve(), turn: Promise.resolve() }
    this.#entries.set(name, entry)
    entry.users++
    return entry
  }

  #forget(name: string, entry: Entry): void {
    if (entry.users === 0 && this.#entries.get(name) === entry) this.#entries.delete(name)
  }

  async #evict(): Promise<void> {
    const names = (await readdir(this.#folder).catch(() => [])).filter(name => clonePattern.test(name))
    const clones = await Promise.all(names.map(name => measure(join(this.#folder, name), name)))
    let total = clones.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { name, bytes } of clones.sort((a, b) => a.used - b.used)) {
      if (total <= this.#maxBytes) return
      if (await this.#remove(name)) total -= bytes
    }
  }

  /** Removes a clone that is not in use; the next user waits until it is removed. */
  async #remove(name: string): Promise<boolean> {
    const clone = clonePattern.exec(name)?.[1] ?? name
    if (this.#entries.has(clone)) return false
    const entry = this.#enter(clone)
    entry.removal = rm(join(this.#folder, name), { recursive: true, force: true })
    try {
      await entry.removal
      return true
    } finally {
      entry.users--
      this.#forget(clone, entry)
    }
  }
}

async function runExclusive<T>(entry: Entry, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const before = entry.turn
  const turn = before.then(() => {
    signal.throwIfAborted()
    return work()
  })
  entry.turn = turn.catch(() => undefined)
  const stop = new AbortController()
  const whenAborted = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: stop.signal }),
  )
  try {
    await Promise.race([before, whenAborted])
  } finally {
    stop.abort()
  }
  return turn
}

async function measure(folder: string, name: string): Promise<{ name: string; bytes: number; used: number }> {
  // Every file counts: a killed fetch leaves its incoming pack behind.
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
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
  const used = await stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  return { name, bytes: sizes.reduce((sum, size) => sum + size, 0), used }
}

/** Names the clone of an owner. Organizations and URLs never share a clone: access to one repository grants none to another. */
function cloneName({ organizationId, spaceId, url, repoCacheID }: CloneOwner): string {
  const repository = url.replace(/(\.git)?\/*$/, '')
  const identity =
    repoCacheID === undefined ? ['space', spaceId, url] : ['shared', organizationId, repoCacheID, repository]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex')
}
