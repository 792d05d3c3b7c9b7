import { isUtf8 } from 'node:buffer'
import { parseCommit, type ObjectStore } from '@recto/git-pack'
import { isBelow, joinInside } from '@recto/repository-format'
import {
  projectFolder,
  readConfiguration,
  tagsPath,
  variablesPath,
  withExistingFiles,
  ImportFailure,
  bounds,
  type Limits,
  settingsPath,
  structureFiles,
} from '@recto/repository-content'
import type { ExportTip } from '@recto/repository-export'
import { tooLarge } from '../files/blob-uploader.ts'
import { findFile, findFolder, findObstacle, listFiles, type RepositoryFile } from '../files/list-files.ts'
import type { MissingFiles } from '../clones/missing-files.ts'

/** The commit that an export builds on. */
export interface TipCommit {
  oid: string
  tree: string
  message: string
  parents: string[]
  /** Name and e-mail of the committer. */
  committer: string
}

const noTexts = { texts: new Map<string, string>(), notUtf8: new Set<string>() }

interface ReadRequest {
  projectDirectory: string | undefined
  limits: Limits
  signal: AbortSignal
}

/** Reads a branch for an export: its files with their objects, and the texts that it edits; without a commit, an empty branch. */
export async function readTip(
  { store, missing }: { store: ObjectStore | undefined; missing: MissingFiles },
  oid: string | undefined,
  { projectDirectory, limits, signal }: ReadRequest,
): Promise<{ tip: ExportTip; commit: TipCommit | undefined }> {
  const project = projectFolder(projectDirectory)
  const configurationPath = joinInside(project, '.gitbook.yaml') ?? '.gitbook.yaml'
  if (!store || oid === undefined) {
    const { configuration } = readConfiguration(undefined, project)
    return {
      tip: { configuration, configurationPath, files: new Map(), others: new Set(), ...noTexts },
      commit: undefined,
    }
  }
  const commit = readCommit(oid, await store.read(oid, 'commit'))
  await missing.fetchLikely(await findStructureFiles(store, commit.tree, project))
  const texts = new Map<string, string>()
  const notUtf8 = new Set<string>()
  const readText = async (path: string, maxBytes: number, replacement?: string) => {
    const fileOid = await findFile(store, commit.tree, path)
    if (fileOid === undefined) return
    await missing.fetch([{ path, oid: fileOid }])
    const isTooLarge = (await store.sizeOf(fileOid)) > maxBytes
    if (isTooLarge && replacement === undefined) throw tooLarge(path, maxBytes)
    if (isTooLarge && replacement !== undefined) return void texts.set(path, replacement)
    const bytes = await store.read(fileOid, 'blob')
    if (!isUtf8(bytes)) notUtf8.add(path)
    texts.set(path, bytes.toString())
  }
  await readText(configurationPath, bounds.configurationBytes)
  const declared = readConfiguration(texts.get(configurationPath), project)
  requireInside(declared.configuration, { project, path: configurationPath })
  const { root } = declared.configuration
  const obstacle = await findObstacle(store, commit.tree, root)
  if (obstacle !== undefined) {
    const message = `${obstacle} is not a folder, and an export does not replace it`
    throw new ImportFailure('invalid_configuration', message, { path: obstacle })
  }
  const hasRoot = (await findFolder(store, commit.tree, root)) !== undefined
  const listing = hasRoot ? await listFiles(store, commit.tree, { folder: root, limits, signal }) : undefined
  const files = new Map((listing?.files ?? []).map(file => [file.path, file.oid]))
  const others = new Set((listing?.warnings ?? []).map(({ path }) => path).filter(path => !files.has(path)))
  const { configuration } = withExistingFiles(declared, path => files.has(path))
  await readText(configuration.summary, bounds.summaryBytes)
  await readText(variablesPath(root), bounds.configurationBytes)
  // A file that is too large is not read as tags or settings, and stays as it is: no list is edited in a text that is none.
  await readText(tagsPath(root), bounds.configurationBytes, 'too large')
  await readText(settingsPath(root), bounds.settingsBytes, '')
  return { tip: { configuration, configurationPath, files, others, texts, notUtf8 }, commit }
}

/** Finds the files of a tree that an export probably reads. */
async function findStructureFiles(store: ObjectStore, tree: string, project: string): Promise<RepositoryFile[]> {
  const files: RepositoryFile[] = []
  for (const path of structureFiles(project)) {
    const oid = await findFile(store, tree, path)
    if (oid !== undefined) files.push({ path, oid })
  }
  return files
}

/** Throws `ImportFailure` when the configuration leads out of the project directory, where an export does not write. */
function requireInside(
  { root, readme, summary }: ExportTip['configuration'],
  { project, path }: { project: string; path: string },
): void {
  if ([root, readme, summary].every(each => isBelow(each, project))) return
  const message = `${path} leads out of the project directory ${project}, where an export does not write`
  throw new ImportFailure('invalid_configuration', message, { path })
}

/** Parses a commit object. */
export function readCommit(oid: string, bytes: Buffer): TipCommit {
  const { tree, message } = parseCommit(bytes)
  const head = bytes.toString('utf8').split('\n\n')[0] ?? ''
  const parents = Array.from(head.matchAll(/^parent ([0-9a-f]{40})$/gm), ([, parent = '']) => parent)
  const committer = /^committer (.*) \d+ [+-]\d+$/m.exec(head)?.[1] ?? ''
  return { oid, tree, message, parents, committer }
}
