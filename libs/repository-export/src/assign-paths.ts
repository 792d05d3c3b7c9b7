import { baseName, folderOf, isMarkdown, joinInside, numberedPath } from '@recto/repository-format'
import type { ExportRecord } from './export-content.ts'

/** The objects at the paths of a repository. */
export interface RepositoryPaths {
  /** Regular files below the root of the content: path to object id. */
  files: ReadonlyMap<string, string>
  /** Other entries, which nothing may replace: symbolic links, submodules, refused names. */
  others: ReadonlySet<string>
}

/** Folds a path as file systems compare it that ignore case and Unicode composition. */
const foldPath = (path: string) => path.normalize('NFC').toLowerCase()

/** The paths of a branch that an export may use, and those that it must not touch. */
export interface PathAssignment {
  root: string
  tip: RepositoryPaths
  /** The files of the content at its last synchronisation: path to id of the record. */
  owners: ReadonlyMap<string, string>
  /** Paths that no record may have, such as SUMMARY.md. */
  reserved: readonly string[]
  oidOf(record: ExportRecord): string | undefined
}

/**
 * Assigns each record its path in the repository. A file that Recto does not know is never replaced: a record whose path is taken gets a
 * numbered one, unless the file has the same bytes. Every path is below the root.
 */
export function assignPaths(records: ExportRecord[], assignment: PathAssignment): Map<string, string> {
  const paths = new PathAssigner(assignment)
  let open = records.map(record => ({ record, path: pathInside(record, assignment.root) }))
  const assignedPaths = new Map<string, string>()
  for (const mayHave of [paths.isOwn, paths.isKnown]) {
    const rest: typeof open = []
    for (const each of open) {
      if (mayHave(each.record, each.path)) assignedPaths.set(each.record.id, paths.take(each.path))
      else rest.push(each)
    }
    open = rest
  }
  for (const { record, path } of open) assignedPaths.set(record.id, paths.takeFree(path))
  return assignedPaths
}

class PathAssigner {
  readonly #assignment: PathAssignment
  readonly #taken: Set<string>
  readonly #folders: Set<string>
  readonly #numbered = new Map<string, number>()

  constructor(assignment: PathAssignment) {
    this.#assignment = assignment
    const { tip, owners, reserved } = assignment
    const paths = [...tip.files.keys(), ...tip.others]
    const unknown = [...paths.filter(path => !owners.has(path)), ...tip.others]
    this.#taken = new Set([...unknown, ...reserved].map(foldPath))
    this.#folders = new Set([...paths, ...reserved].flatMap(foldersOf).map(foldPath))
  }

  /** Whether the record had this path at the last synchronisation. */
  readonly isOwn = (record: ExportRecord, path: string): boolean => {
    const { owners, tip } = this.#assignment
    if (owners.get(path) !== record.id || !this.#hasFolder(path)) return false
    // An existing file stays, even beside one whose name differs by case only.
    return tip.files.has(path) ? !this.#adopted.has(path) && !this.#isReserved(path) : this.#isFree(path)
  }

  /** Whether any record had this path, or the file at the path has the bytes of this record. */
  readonly isKnown = (record: ExportRecord, path: string): boolean => {
    const { tip, owners, oidOf } = this.#assignment
    if (!this.#hasFolder(path)) return false
    if (owners.has(path)) return this.#isFree(path)
    const fileOid = tip.files.get(path)
    return fileOid !== undefined && fileOid === oidOf(record) && !this.#adopted.has(path) && !this.#isReserved(path)
  }

  readonly #adopted = new Set<string>()

  take(path: string): string {
    this.#taken.add(foldPath(path))
    this.#adopted.add(path)
    for (const folder of foldersOf(path)) this.#folders.add(foldPath(folder))
    return path
  }

  takeFree(recordPath: string): string {
    const path = this.#inFreeFolder(withShortNames(recordPath))
    const key = foldPath(path)
    for (let count = this.#numbered.get(key) ?? 0; ; count++) {
      const free = numberedPath(path, count)
      if (!this.#isFree(free)) continue
      this.#numbered.set(key, count)
      return this.take(free)
    }
  }

  /** Whether no folder of a path is a file, a symbolic link or a submodule in the branch. */
  #hasFolder(path: string): boolean {
    const { files, others } = this.#assignment.tip
    return foldersOf(path).every(
      folder => !files.has(folder) && !others.has(folder) && !this.#taken.has(foldPath(folder)),
    )
  }

  #isFree(path: string): boolean {
    return !this.#taken.has(foldPath(path)) && !this.#folders.has(foldPath(path))
  }

  #isReserved(path: string): boolean {
    return this.#assignment.reserved.some(each => foldPath(each) === foldPath(path))
  }

  /** Adds a number to a folder whose name a file has. */
  #inFreeFolder(path: string): string {
    const names = path.split('/')
    let folder = ''
    for (const name of names.slice(0, -1)) {
      let count = 0
      const at = (number: number) => [folder, number === 0 ? name : `${name}-${number}`].filter(Boolean).join('/')
      while (this.#taken.has(foldPath(at(count)))) count++
      folder = at(count)
    }
    return [folder, names.at(-1)].filter(Boolean).join('/')
  }
}

function foldersOf(path: string): string[] {
  const folder = folderOf(path)
  return folder === '' ? [] : [folder, ...foldersOf(folder)]
}

/** Returns the path of a record below the root. A path that leads out of it, or that no repository can hold, becomes a safe one. */
function pathInside({ kind, path, id }: ExportRecord, root: string): string {
  const inside = path === '' ? undefined : joinInside(path)
  const isUsable = inside !== undefined && inside !== '' && Buffer.byteLength(inside) < 3_000
  const fallback = { page: `${id}.md`, file: `.gitbook/assets/${id}`, reusable: `.gitbook/includes/${id}.md` }[kind]
  const usablePath = isUsable ? inside : fallback
  const pathWithExtension = kind === 'file' || isMarkdown(baseName(usablePath)) ? usablePath : `${usablePath}.md`
  return joinInside(root, pathWithExtension) ?? joinInside(root, fallback) ?? fallback
}

/** Shortens names to what file systems take: 255 bytes, with room for a number. */
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
