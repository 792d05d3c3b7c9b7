import type { FileRecord } from '../revisions/records.ts'
import { assetsFolder, filePath, freePath, joinPath } from './repository-files.ts'
import type { FileIndex } from './revision-index.ts'

/** The files of a revision with changes that are not written yet. */
export class FileDraft {
  readonly #base: FileIndex
  readonly #changed = new Map<string, FileRecord | undefined>()
  #taken: Set<string> | undefined

  constructor(base: FileIndex) {
    this.#base = base
  }

  get(id: string): FileRecord | undefined {
    return this.#changed.has(id) ? this.#changed.get(id) : this.#base.get(id)
  }

  set(record: FileRecord): void {
    this.#changed.set(record.id, record)
    this.#taken?.add(filePath(record).toLowerCase())
  }

  delete(id: string): void {
    this.#changed.set(id, undefined)
  }

  /** A path for a new file, among the assets below a folder, that no other file has. */
  newPath(name: string, root: string): string {
    const takenPaths = (this.#taken ??= new Set(Array.from(this.#all(), record => filePath(record).toLowerCase())))
    return freePath(joinPath(root, `${assetsFolder}/${name}`), path => takenPaths.has(path))
  }

  /** The file at a path of the repository. */
  byPath(path: string): FileRecord | undefined {
    for (const record of this.#all()) if (filePath(record) === path) return record
    return undefined
  }

  /** The changed records by id; deleted ones are undefined. */
  changes(): ReadonlyMap<string, FileRecord | undefined> {
    return this.#changed
  }

  *#all(): Iterable<FileRecord> {
    for (const record of this.#base.inOrder) if (!this.#changed.has(record.id)) yield record
    for (const record of this.#changed.values()) if (record) yield record
  }
}
