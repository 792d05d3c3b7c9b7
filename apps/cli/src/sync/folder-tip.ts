import { hash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import { objectId } from '@recto/git-pack'
import {
  bounds,
  ImportFailure,
  readConfiguration,
  settingsPath,
  tagsPath,
  variablesPath,
  withExistingFiles,
  type FileSource,
} from '@recto/repository-content'
import type { ExportTip } from '@recto/repository-export'
import { isBelow } from '@recto/repository-format'
import { toolFolders } from '../folders/folder-source.ts'

/** The files of a folder as git and content address them. */
export interface FolderFiles {
  source: FileSource
  /** Path to git object. */
  oids: ReadonlyMap<string, string>
  /** SHA-256 of bytes to the path of a file that has them. */
  byHash: ReadonlyMap<string, string>
}

/** The id of the git object of bytes. */
export const blobOid = (bytes: Uint8Array): string => objectId({ type: 'blob', bytes })

/** SHA-256 of bytes, as content addresses them. */
export function hashOf(bytes: Uint8Array): string {
  return hash('sha256', bytes)
}

/** Reads all files of a folder once, one at a time. */
export async function readFolderFiles(source: FileSource): Promise<FolderFiles> {
  const oids = new Map<string, string>()
  const byHash = new Map<string, string>()
  for (const { path } of source.files) {
    const bytes = await source.read(path)
    oids.set(path, blobOid(bytes))
    byHash.set(hashOf(bytes), path)
  }
  return { source, oids, byHash }
}

const configurationPath = '.gitbook.yaml'

/** Describes a folder as an export sees a branch. Throws `ImportFailure` for a configuration that an export does not write to. */
export async function folderTip({ source, oids }: FolderFiles): Promise<ExportTip> {
  const texts = new Map<string, string>()
  const notUtf8 = new Set<string>()
  const readText = async (path: string, maxBytes: number, replacement?: string) => {
    const file = source.files.find(each => each.path === path)
    if (!file) return
    if (file.size > maxBytes) {
      if (replacement === undefined) throw new ImportFailure('too_large', `${path} is too large`, { path })
      texts.set(path, replacement)
      return
    }
    const bytes = Buffer.from(await source.read(path))
    if (!isUtf8(bytes)) notUtf8.add(path)
    texts.set(path, bytes.toString())
  }
  await readText(configurationPath, bounds.configurationBytes)
  const declared = readConfiguration(texts.get(configurationPath), '')
  const { root } = declared.configuration
  const others = new Set([...source.skipped.map(({ path }) => path), ...toolFolders])
  requireFolder(root, { oids, others })
  const files = new Map([...oids].filter(([path]) => root === '' || isBelow(path, root)))
  const { configuration } = withExistingFiles(declared, path => files.has(path))
  await readText(configuration.summary, bounds.summaryBytes)
  await readText(variablesPath(root), bounds.configurationBytes)
  // A file that is too large is not read as tags or settings, and stays as it is.
  await readText(tagsPath(root), bounds.configurationBytes, 'too large')
  await readText(settingsPath(root), bounds.settingsBytes, '')
  return { configuration, configurationPath, files, others, texts, notUtf8 }
}

/** Requires that the root of the content is a folder, or nothing. */
function requireFolder(
  root: string,
  { oids, others }: { oids: ReadonlyMap<string, string>; others: ReadonlySet<string> },
): void {
  const names = root.split('/')
  const folders = names.map((_name, index) => names.slice(0, index + 1).join('/'))
  const obstacle = folders.find(folder => oids.has(folder) || others.has(folder))
  if (obstacle === undefined) return
  throw new ImportFailure('invalid_configuration', `${obstacle} is no folder`, { path: obstacle })
}
