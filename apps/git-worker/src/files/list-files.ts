import { parseTree, type ObjectStore, type TreeEntry } from '@recto/git-pack'
import { ImportFailure, type Warning, type Limits } from '@recto/repository-content'
import { invalidNameReason } from '@recto/repository-format'

/** A file of a commit, by its path in the repository. */
export interface RepositoryFile {
  path: string
  oid: string
}

const maxPathLength = 4_096
const tooLongMessage = 'The path is too long; the entry is left out'
const duplicateMessage = 'The folder holds this name twice; the entry is left out'

interface Listing {
  store: ObjectStore
  limits: Limits
  signal: AbortSignal
  files: RepositoryFile[]
  warnings: Warning[]
  count: number
}

/** Lists the files below a folder of a tree, which must exist. Symbolic links, submodules and refused names are left out with a warning. */
export async function listFiles(
  store: ObjectStore,
  tree: string,
  { folder, limits, signal }: { folder: string; limits: Limits; signal: AbortSignal },
): Promise<{ files: RepositoryFile[]; warnings: Warning[] }> {
  const listing: Listing = { store, limits, signal, files: [], warnings: [], count: 0 }
  const start = await findFolder(store, tree, folder)
  if (start === undefined)
    throw new ImportFailure('invalid_configuration', `The branch has no folder ${folder}`, { path: folder })
  await walk(listing, { tree: start, path: folder })
  return { files: listing.files, warnings: listing.warnings }
}

/** Finds the tree of a folder; undefined when there is none. */
export async function findFolder(store: ObjectStore, tree: string, folder: string): Promise<string | undefined> {
  let at: string | undefined = tree
  for (const name of folder === '' ? [] : folder.split('/')) {
    if (at === undefined) return undefined
    at = parseTree(await store.read(at, 'tree')).find(entry => entry.name === name && isFolder(entry))?.oid
  }
  return at
}

/** Finds the first part of a folder path that is not a folder in the tree, such as a symbolic link; undefined when there is none. */
export async function findObstacle(store: ObjectStore, tree: string, folder: string): Promise<string | undefined> {
  const names = folder === '' ? [] : folder.split('/')
  let at = tree
  for (const [depth, name] of names.entries()) {
    const entry = parseTree(await store.read(at, 'tree')).find(each => each.name === name)
    if (entry === undefined) return undefined
    if (!isFolder(entry)) return names.slice(0, depth + 1).join('/')
    at = entry.oid
  }
  return undefined
}

/** Finds the object id of a file in a tree; undefined when there is none. */
export async function findFile(store: ObjectStore, tree: string, path: string): Promise<string | undefined> {
  const names = path.split('/')
  const folder = await findFolder(store, tree, names.slice(0, -1).join('/'))
  if (folder === undefined) return undefined
  return parseTree(await store.read(folder, 'tree')).find(entry => entry.name === names.at(-1) && isFile(entry))?.oid
}

async function walk(listing: Listing, { tree, path }: { tree: string; path: string }): Promise<void> {
  listing.signal.throwIfAborted()
  const names = new Set<string | undefined>()
  for (const entry of parseTree(await listing.store.read(tree, 'tree'))) {
    const place = [path, entry.name ?? '?'].filter(Boolean).join('/')
    // Folders count, too: a hostile tree can nest the same folder without end.
    if (++listing.count > listing.limits.maxFiles) throw tooMany(listing.limits.maxFiles, place)
    const reason = names.has(entry.name)
      ? duplicateMessage
      : place.length > maxPathLength
        ? tooLongMessage
        : refusalReason(entry)
    names.add(entry.name)
    if (reason) listing.warnings.push({ path: place, message: reason })
    else if (isFolder(entry)) await walk(listing, { tree: entry.oid, path: place })
    else listing.files.push({ path: place, oid: entry.oid })
  }
}

function refusalReason({ mode, name }: TreeEntry): string | undefined {
  if (name === undefined) return 'The name is not UTF-8; the entry is left out'
  const bad = invalidNameReason(name)
  if (bad) return `The name ${bad}; the entry is left out`
  if (mode === '120000') return 'Symbolic links are left out'
  if (mode === '160000') return 'Submodules are left out'
  return isFolder({ mode }) || isFile({ mode }) ? undefined : `Entries of mode ${mode} are left out`
}

function isFolder({ mode }: { mode: string }): boolean {
  return mode === '40000' || mode === '040000'
}

function isFile({ mode }: { mode: string }): boolean {
  return /^100\d{3}$/.test(mode)
}

function tooMany(limit: number, path: string): ImportFailure {
  return new ImportFailure(
    'too_large',
    `The content folder holds more than the limit of ${limit} files and folders, counted up to ${path}`,
    { path },
  )
}
