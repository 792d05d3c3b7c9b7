import { firstHeading, readPageSource } from '@recto/markdown'
import { referencedPaths, titleOf, type PageInfo } from '@recto/repository-content'
import { knownObjects, recordsOf, type Content, type ExportRecord } from './export-content.ts'

/** Reads documents and files of content by hash. */
export interface ContentReader {
  /** Reads documents in batches, and calls back with the bytes of each. */
  documents(hashes: string[], use: (hash: string, bytes: Buffer) => Promise<void>): Promise<void>
  /** Reads a file of the blob store. */
  file(hash: string): Promise<Buffer>
}

/** Stores git objects. */
export interface ObjectWriter {
  /** Writes an object and returns its id. */
  write(type: 'blob', object: Buffer): Promise<string>
}

/** The git objects of content by hash, with the titles and references of its documents. */
export class LoadedContent {
  readonly #content: Content
  readonly #reader: ContentReader
  readonly #objects: ObjectWriter
  readonly #oids: Map<string, string>
  readonly #writtenOids = new Set<string>()
  readonly #titles = new Map<string, Pick<PageInfo, 'frontMatter' | 'heading'>>()
  /** Paths below the root that the documents refer to; complete for content that never was in a repository. */
  readonly referenced = new Set<string>()

  constructor(content: Content, tools: { reader: ContentReader; objects: ObjectWriter }) {
    this.#content = content
    this.#reader = tools.reader
    this.#objects = tools.objects
    this.#oids = knownObjects(content)
  }

  /** Writes the objects of all records that the repository lacks. */
  async loadChanged(onStep: (done: number, total: number) => void): Promise<void> {
    const records = recordsOf(this.#content.now).filter(
      ({ hash, oid }) => oid === undefined && hash !== undefined && !this.#oids.has(hash),
    )
    await this.#load(records, onStep)
  }

  /** Writes the objects of records, unless they are written already. */
  async load(records: { oid: string; hash: string | undefined; kind: ExportRecord['kind'] }[]): Promise<void> {
    if (records.some(({ hash }) => hash === undefined))
      this.#writtenOids.add(await this.#objects.write('blob', Buffer.alloc(0)))
    await this.#load(
      records.filter(({ oid }) => !this.#writtenOids.has(oid)).map(record => ({ ...record, path: '' })),
      () => undefined,
    )
  }

  readonly oidOf = ({ hash, oid }: Pick<ExportRecord, 'hash' | 'oid'>): string | undefined =>
    oid ?? (hash === undefined ? undefined : this.#oids.get(hash))

  /** The title that a page has by its text; undefined when its text was not loaded. */
  readonly titleOf = (path: string, hash: string): string | undefined => {
    const info = this.#titles.get(hash)
    return info && titleOf(path, info)
  }

  async #load(
    records: Pick<ExportRecord, 'kind' | 'hash' | 'path'>[],
    onStep: (done: number, total: number) => void,
  ): Promise<void> {
    const places = new Map<string, string[]>()
    const files = new Set<string>()
    for (const { kind, hash, path } of records) {
      if (hash === undefined) continue
      if (kind === 'file') files.add(hash)
      else places.set(hash, [...(places.get(hash) ?? []), path])
    }
    const total = places.size + files.size
    let done = 0
    await this.#reader.documents([...places.keys()], async (hash, bytes) => {
      this.#readDocument(hash, bytes, places.get(hash) ?? [])
      await this.#write(hash, bytes)
      onStep(++done, total)
    })
    for (const hash of files) {
      await this.#write(hash, await this.#reader.file(hash))
      onStep(++done, total)
    }
  }

  #readDocument(hash: string, bytes: Buffer, paths: string[]): void {
    const text = bytes.toString('utf8')
    const { frontMatter, body } = readPageSource(text, paths[0] ?? '')
    this.#titles.set(hash, { frontMatter: { title: frontMatter.title }, heading: firstHeading(body) } as PageInfo)
    if (this.#content.now.wasInRepository) return
    for (const path of paths) for (const each of referencedPaths(text, path)) this.referenced.add(each)
  }

  async #write(hash: string, bytes: Buffer): Promise<void> {
    const oid = await this.#objects.write('blob', bytes)
    this.#oids.set(hash, oid)
    this.#writtenOids.add(oid)
  }
}
