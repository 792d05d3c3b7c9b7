import { constants, type Dirent } from 'node:fs'
import { isUtf8 } from 'node:buffer'
import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { defaultLimits, ImportFailure, type FileSource, type SourceFile, type Warning } from '@recto/repository-content'
import { invalidNameReason } from '@recto/repository-format'

/** Levels of folders; those below are left out. */
const maxDepth = 100
/** Characters of a path, as of a repository. */
const maxPathLength = 4_096
/** Folders of tools, which are no content and no mistake; `.recto` has the state of a pull. */
export const toolFolders: ReadonlySet<string> = new Set(['.git', '.recto', 'node_modules'])

interface Walk {
  root: string
  files: SourceFile[]
  skipped: Warning[]
  count: number
}

/**
 * Lists the files of a folder, without following a symbolic link: nothing outside of it is read. What an import of a repository would
 * leave out is skipped with a warning. Throws `too_large` for a folder with too many entries.
 */
export async function folderSource(folder: string): Promise<FileSource> {
  const root = await realpath(folder)
  const walk: Walk = { root, files: [], skipped: [], count: 0 }
  await visit(walk, '', 0)
  walk.files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files: walk.files, skipped: walk.skipped, read: path => readInside(root, path) }
}

async function visit(walk: Walk, path: string, depth: number): Promise<void> {
  const entries = await readdir(join(walk.root, path), { withFileTypes: true, encoding: 'buffer' })
  for (const entry of entries) {
    if (++walk.count > defaultLimits.maxFiles)
      throw new ImportFailure('too_large', `The folder holds more than the limit of ${defaultLimits.maxFiles} entries`)
    await visitEntry(walk, { path, depth, entry: entry as unknown as Dirent<Buffer> })
  }
}

async function visitEntry(
  walk: Walk,
  { path, depth, entry }: { path: string; depth: number; entry: Dirent<Buffer> },
): Promise<void> {
  const name = entry.name.toString()
  if (toolFolders.has(name)) return
  const place = [path, name].filter(Boolean).join('/')
  const reason = refusalReason(entry, { place, depth })
  if (reason !== undefined) walk.skipped.push({ path: place, message: reason })
  else if (entry.isDirectory()) await visit(walk, place, depth + 1)
  else walk.files.push({ path: place, size: (await lstat(join(walk.root, place))).size })
}

function refusalReason(entry: Dirent<Buffer>, { place, depth }: { place: string; depth: number }): string | undefined {
  if (!isUtf8(entry.name)) return 'The name is not UTF-8; the entry is left out'
  const reason = invalidNameReason(entry.name.toString())
  if (reason !== undefined) return `The name ${reason}; the entry is left out`
  if (entry.isSymbolicLink()) return 'Symbolic links are left out'
  if (place.length > maxPathLength) return 'The path is too long; the entry is left out'
  if (entry.isDirectory()) return depth >= maxDepth ? `Folders deeper than ${maxDepth} levels are left out` : undefined
  return entry.isFile() ? undefined : 'The entry is no file, and is left out'
}

/** Reads a file of the folder; one that has become a link since, or that leads out of the folder, is refused. */
async function readInside(root: string, path: string): Promise<Buffer> {
  const file = join(root, path)
  const target = await realpath(file)
  const place = join(root, ...path.split('/'))
  if (target !== place || !target.startsWith(root + sep))
    throw new ImportFailure('invalid_repository', `${path} leads out of the folder`, { path })
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new ImportFailure('invalid_repository', `${path} is no file`, { path })
    if (stat.size > defaultLimits.maxFile)
      throw new ImportFailure('too_large', `${path} is larger than ${defaultLimits.maxFile} bytes`, { path })
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
