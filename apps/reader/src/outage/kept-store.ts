import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { isWhole, readEntryText, readFacts, writeEntry, type Bytes } from './entry-file.ts'
import type { KeptKind } from './kept-request.rules.ts'
import { readSiteFolder, removeFolder, siteFile, sizeOnDisk, type Entry, type StoredSite } from './site-folder.ts'

/** The place of a reply. */
export interface EntryPlace {
  site: string
  key: string
  kind: KeptKind | 'file'
}

/** Replies on disk, by site. Nothing of it throws: what cannot be read is not there, and what cannot be written is not kept. */
export interface KeptStore {
  /** The sites that were kept when the process started. */
  sites: readonly StoredSite[]
  saveSite(site: StoredSite): Promise<boolean>
  /** The text of a reply; with a version, only if it was read at that one. */
  readText(place: EntryPlace, version?: string): Promise<string | undefined>
  writeText(place: EntryPlace, version: string, text: string): Promise<boolean>
  /** A file as it was sent; `open` reads some of its bytes. */
  readFile(place: EntryPlace): Promise<KeptFile | undefined>
  writeFile(place: EntryPlace, file: { headers: Record<string, string>; bytes: Bytes; size: number }): Promise<boolean>
  /** Removes what was written before a time and is not used any more, but for redirects. */
  prune(site: string, used: ReadonlySet<string>, before: number): Promise<void>
  removeSite(site: string): Promise<void>
  has(site: string): boolean
  /** Whether a reply of so many bytes may be kept at all. */
  fits(size: number): boolean
  siteIds(): string[]
  state(): { bytes: number }
}

/** A file on disk. */
export interface KeptFile {
  size: number
  headers: Record<string, string>
  open(part: { start: number; end: number }): ReadableStream<Uint8Array>
}

interface StoreOptions {
  folder: string
  maxBytes: number
  /** When a site was opened last, by which it stays or goes. */
  askedAt(site: string): number
  /** Called with each failure of the disk, and with each file that is damaged. */
  onFault(error: unknown): void
}

interface SiteEntries {
  entries: Map<string, Entry>
  isGone: boolean
}

/** The part of all bytes that one reply may take. */
const largestPart = 4
/** Redirects of a site: a pattern of them leads as many addresses on as visitors think of. */
const maxRedirects = 1_000
const letters: Record<EntryPlace['kind'], string> = {
  site: 's',
  space: 'v',
  part: 'p',
  changing: 'c',
  redirect: 'r',
  file: 'f',
}

/** Opens the folder of kept replies, of which the sites are read; what an earlier process left half is removed. */
export async function openKeptStore(options: StoreOptions): Promise<KeptStore> {
  const store = new FolderStore(options)
  await store.load()
  return store
}

class FolderStore implements KeptStore {
  readonly sites: StoredSite[] = []
  readonly #options: StoreOptions
  readonly #entriesOf = new Map<string, SiteEntries>()
  #bytes = 0

  constructor(options: StoreOptions) {
    this.#options = options
  }

  async load(): Promise<void> {
    const { folder } = this.#options
    await this.#guard(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const name of await readdir(folder)) {
        const stored = await this.#guard(() => readSiteFolder(folder, name), undefined)
        if (!stored) continue
        this.sites.push(stored.site)
        this.#entriesOf.set(name, { entries: stored.entries, isGone: false })
        for (const { size } of stored.entries.values()) this.#bytes += size
      }
    }, undefined)
  }

  has(site: string): boolean {
    return this.#entriesOf.has(site)
  }

  fits(size: number): boolean {
    return sizeOnDisk(size) <= this.#options.maxBytes / largestPart
  }

  siteIds(): string[] {
    return [...this.#entriesOf.keys()]
  }

  state(): { bytes: number } {
    return { bytes: this.#bytes }
  }

  async saveSite(site: StoredSite): Promise<boolean> {
    return this.#guard(async () => {
      const owner = this.#entriesOf.get(site.id) ?? { entries: new Map<string, Entry>(), isGone: false }
      await mkdir(join(this.#options.folder, site.id), { recursive: true, mode: 0o700 })
      this.#entriesOf.set(site.id, owner)
      const temporary = this.#path(site.id, `${randomUUID()}.tmp`)
      await writeFile(temporary, JSON.stringify(site), { mode: 0o600 })
      if (!owner.isGone) await rename(temporary, this.#path(site.id, siteFile))
      return !owner.isGone
    }, false)
  }

  async removeSite(site: string): Promise<void> {
    const gone = this.#entriesOf.get(site)
    if (!gone) return
    gone.isGone = true
    this.#entriesOf.delete(site)
    for (const { size } of gone.entries.values()) this.#bytes -= size
    await this.#guard(() => removeFolder(this.#options.folder, site), undefined)
  }

  async readText({ site, key, kind }: EntryPlace, version?: string): Promise<string | undefined> {
    const name = nameOf(key, kind)
    const entry = this.#entriesOf.get(site)?.entries.get(name)
    if (!entry || (version !== undefined && entry.version !== undefined && entry.version !== version)) return undefined
    const reply = await readEntryText(this.#path(site, name))
    if (reply?.facts.key !== key) return this.#forgetDamaged(site, name)
    entry.version = reply.facts.version
    entry.hash = reply.facts.hash
    return version === undefined || version === reply.facts.version ? reply.text : undefined
  }

  async writeText(place: EntryPlace, version: string, text: string): Promise<boolean> {
    const entry = this.#entriesOf.get(place.site)?.entries.get(nameOf(place.key, place.kind))
    const body = Buffer.from(text)
    const hash = createHash('sha256').update(body).digest('base64url')
    if (entry?.hash === hash && entry.version === version) return true
    return this.#write(place, { version, bytes: Readable.from([body]), size: body.byteLength })
  }

  async readFile({ site, key, kind }: EntryPlace): Promise<KeptFile | undefined> {
    const name = nameOf(key, kind)
    const entry = this.#entriesOf.get(site)?.entries.get(name)
    if (!entry) return undefined
    const path = this.#path(site, name)
    const facts = await readFacts(path)
    const isIntact = facts?.key === key && (entry.isChecked === true || (await isWhole(path, facts).catch(() => false)))
    if (!isIntact) return this.#forgetDamaged(site, name)
    entry.isChecked = true
    const open = (part: { start: number; end: number }) =>
      Readable.toWeb(createReadStream(path, part)) as ReadableStream<Uint8Array>
    return { size: facts.length, headers: facts.headers, open }
  }

  async writeFile(
    place: EntryPlace,
    { headers, bytes, size }: { headers: Record<string, string>; bytes: Bytes; size: number },
  ): Promise<boolean> {
    return this.#write(place, { version: '', headers, bytes, size })
  }

  async prune(site: string, used: ReadonlySet<string>, before: number): Promise<void> {
    const names = new Set([...used].map(key => createHash('sha256').update(key).digest('base64url')))
    for (const [name, { at }] of this.#entriesOf.get(site)?.entries ?? []) {
      const isOld = at < before && !name.startsWith(letters.redirect) && !names.has(name.slice(1))
      if (isOld) await this.#forget(site, name)
    }
  }

  #path(site: string, name: string): string {
    return join(this.#options.folder, site, name)
  }

  async #guard<Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      this.#options.onFault(error)
      return otherwise
    }
  }

  async #forget(site: string, name: string): Promise<void> {
    const entries = this.#entriesOf.get(site)?.entries
    this.#bytes -= entries?.get(name)?.size ?? 0
    entries?.delete(name)
    await this.#guard(() => rm(this.#path(site, name), { force: true }), undefined)
  }

  /** A site that was removed meanwhile is not damaged. */
  async #forgetDamaged(site: string, name: string): Promise<undefined> {
    if (!this.#entriesOf.get(site)?.entries.has(name)) return
    this.#options.onFault(new Error('a kept reply is damaged, and is not served'))
    await this.#forget(site, name)
  }

  async #write(
    { site, key, kind }: EntryPlace,
    reply: { version: string; headers?: Record<string, string>; bytes: Bytes; size: number },
  ): Promise<boolean> {
    const name = nameOf(key, kind)
    const owner = this.#entriesOf.get(site)
    const expected = sizeOnDisk(reply.size)
    if (kind === 'redirect' && !owner?.entries.has(name) && countOf(owner, letters.redirect) >= maxRedirects)
      return false
    if (!owner || !this.fits(reply.size)) return false
    if (!(await this.#makeRoom(site, expected - (owner.entries.get(name)?.size ?? 0)))) return false
    // Counted before it is written, so that writes at the same time do not take the same room.
    this.#bytes += expected
    const path = this.#path(site, name)
    const entry = await this.#guard(() => writeEntry(path, { key, ...reply }, reply.bytes), undefined)
    this.#bytes -= expected
    if (!entry) return false
    if (owner.isGone) {
      await this.#guard(() => rm(path, { force: true }), undefined)
      return false
    }
    const size = sizeOnDisk(entry.size)
    this.#bytes += size - (owner.entries.get(name)?.size ?? 0)
    const { hash, version } = entry.facts
    owner.entries.set(name, { size, at: Date.now(), hash, version, isChecked: true })
    return true
  }

  /** Makes room by removing other sites, those that were opened longest ago first, and none that was opened later. */
  async #makeRoom(site: string, size: number): Promise<boolean> {
    const { maxBytes, askedAt } = this.#options
    while (this.#bytes + size > maxBytes) {
      const others = [...this.#entriesOf.keys()].filter(each => each !== site)
      const [oldest] = others.sort((one, other) => askedAt(one) - askedAt(other))
      if (oldest === undefined || askedAt(oldest) > askedAt(site)) return false
      await this.removeSite(oldest)
    }
    return true
  }
}

function countOf(owner: SiteEntries | undefined, letter: string): number {
  return [...(owner?.entries.keys() ?? [])].filter(name => name.startsWith(letter)).length
}

function nameOf(key: string, kind: EntryPlace['kind']): string {
  return `${letters[kind]}${createHash('sha256').update(key).digest('base64url')}`
}
