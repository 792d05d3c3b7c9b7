import { baseName, folderOf, isMarkdown, joinInside, numberedPath } from '@recto/repository-format'
import type { ExportRecord } from './export-content.ts'

/** The objects at the paths of a repository. */
export interface RepositoryPaths {
  /** Regular files below the root of the content: path to object. */
  files: ReadonlyMap<string, string>
  /** Other entries, which nothing may replace: links, submodules, names that are refused. */
  others: ReadonlySet<string>
}

/** A path as file systems compare it that know neither case nor composition. */
const folded = (path: string) => path.normalize('NFC').toLowerCase()

/** Where the records of an export go, and what they must not touch. */
export interface Allotment {
  root: string
  tip: RepositoryPaths
  /** The files that content had at its last synchronisation: path to the id of the record. */
  owners: ReadonlyMap<string, string>
  /** Paths that are of the repository itself, such as SUMMARY.md. */
  reserved: readonly string[]
  oidOf(record: ExportRecord): string | undefined
}

/**
 * The path of each record in the repository. A file that Recto does not know is never replaced: a record whose path is taken gets a
 * numbered one, unless the file has the same bytes. Every path is below the root.
 */
export function assignPaths(records: ExportRecord[], allotment: Allotment): Map<string, string> {
  const paths = new PathAllotment(allotment)
  let open = records.map(record => ({ record, path: pathInside(record, allotment.root) }))
  const allotted = new Map<string, string>()
  for (const mayHave of [paths.isOwn, paths.isKnown]) {
    const rest: typeof open = []
    for (const each of open) {
      if (mayHave(each.record, each.path)) allotted.set(each.record.id, paths.take(each.path))
      else rest.push(each)
    }
    open = rest
  }
  for (const { record, path } of open) allotted.set(record.id, paths.takeFree(path))
  return allotted
}

class PathAllotment {
  readonly #allotment: Allotment
  readonly #taken: Set<string>
  readonly #folders: Set<string>
  readonly #numbered = new Map<string, number>()

  constructor(allotment: Allotment) {
    this.#allotment = allotment
    const { tip, owners, reserved } = allotment
    const paths = [...tip.files.keys(), ...tip.others]
    const unknown = [...paths.filter(path => !owners.has(path)), ...tip.others]
    this.#taken = new Set([...unknown, ...reserved].map(folded))
    this.#folders = new Set([...paths, ...reserved].flatMap(foldersOf).map(folded))
  }

  /** Whether a path was that of the record at the last synchronisation. */
  readonly isOwn = (record: ExportRecord, path: string): boolean => {
    const { owners, tip } = this.#allotment
    if (owners.get(path) !== record.id || !this.#hasFolder(path)) return false
    // A file that is there stays, even beside one whose name differs by case only.
    return tip.files.has(path) ? !this.#adopted.has(path) && !this.#isReserved(path) : this.#isFree(path)
  }

  /** Whether a path was that of any record, or has the bytes of this one. */
  readonly isKnown = (record: ExportRecord, path: string): boolean => {
    const { tip, owners, oidOf } = this.#allotment
    if (!this.#hasFolder(path)) return false
    if (owners.has(path)) return this.#isFree(path)
    const found = tip.files.get(path)
    return found !== undefined && found === oidOf(record) && !this.#adopted.has(path) && !this.#isReserved(path)
  }

  readonly #adopted = new Set<string>()

  take(path: string): string {
    this.#taken.add(folded(path))
    this.#adopted.add(path)
    for (const folder of foldersOf(path)) this.#folders.add(folded(folder))
    return path
  }

  takeFree(wanted: string): string {
    const path = this.#inFreeFolder(withShortNames(wanted))
    const key = folded(path)
    for (let count = this.#numbered.get(key) ?? 0; ; count++) {
      const free = numberedPath(path, count)
      if (!this.#isFree(free)) continue
      this.#numbered.set(key, count)
      return this.take(free)
    }
  }

  /** Whether no folder on the way to a path is a file, a link or a submodule of the branch. */
  #hasFolder(path: string): boolean {
    const { files, others } = this.#allotment.tip
    return foldersOf(path).every(
      folder => !files.has(folder) && !others.has(folder) && !this.#taken.has(folded(folder)),
    )
  }

  #isFree(path: string): boolean {
    return !this.#taken.has(folded(path)) && !this.#folders.has(folded(path))
  }

  #isReserved(path: string): boolean {
    return this.#allotment.reserved.some(each => folded(each) === folded(path))
  }

  /** A folder whose name is that of a file gets a number. */
  #inFreeFolder(path: string): string {
    const names = path.split('/')
    let folder = ''
    for (const name of names.slice(0, -1)) {
      let count = 0
      const at = (number: number) => [folder, number === 0 ? name : `${name}-${number}`].filter(Boolean).join('/')
      while (this.#taken.has(folded(at(count)))) count++
      folder = at(count)
    }
    return [folder, names.at(-1)].filter(Boolean).join('/')
  }
}

function foldersOf(path: string): string[] {
  const folder = folderOf(path)
  return folder === '' ? [] : [folder, ...foldersOf(folder)]
}

/** The path of a record below the root. One that leads out of it, or that no repository can hold, is replaced by a safe one. */
function pathInside({ kind, path, id }: ExportRecord, root: string): string {
  const inside = path === '' ? undefined : joinInside(path)
  const isUsable = inside !== undefined && inside !== '' && Buffer.byteLength(inside) < 3_000
  const fallback = { page: `${id}.md`, file: `.gitbook/assets/${id}`, reusable: `.gitbook/includes/${id}.md` }[kind]
  const named = isUsable ? inside : fallback
  const typed = kind === 'file' || isMarkdown(baseName(named)) ? named : `${named}.md`
  return joinInside(root, typed) ?? joinInside(root, fallback) ?? fallback
}

/** Names of at most 255 bytes, which is what file systems take. */
function withShortNames(path: string): string {
  return path
    .split('/')
    .map(name => {
      const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? ''
      let stem = name.slice(0, name.length - extension.length)
      while (Buffer.byteLength(stem + extension) > 240) stem = Array.from(stem).slice(0, -1).join('')
      return stem + extension
    })
    .join('/')
}
