import { bounds, ImportFailure, projectFolder, readConfiguration, type Warning } from '@recto/repository-content'
import { isBelow, joinInside } from '@recto/repository-format'
import type { FetchedBranch } from '../clones/use-branch.ts'
import { findFile, listFiles, type RepositoryFile } from '../files/list-files.ts'
import type { CheckTools } from './trial-export.ts'

/**
 * Lists the files that an import of a commit reads: those below the root of its content, and the configuration. A configuration that no
 * import accepts is listed alone, for the check to say so. Throws `ImportFailure` for more files than the limit.
 */
export async function listContent(
  branch: Pick<FetchedBranch, 'store' | 'missing'>,
  { tree, project }: { tree: string; project: string | undefined },
  { limits, signal }: Pick<CheckTools, 'limits' | 'signal'>,
): Promise<{ files: RepositoryFile[]; warnings: Warning[] }> {
  const path = joinInside(projectFolder(project), '.gitbook.yaml') ?? '.gitbook.yaml'
  const oid = await findFile(branch.store, tree, path)
  const configuration = oid === undefined ? [] : [{ path, oid }]
  await branch.missing.fetch(configuration)
  try {
    const root = await rootOf(branch, oid, project)
    const { files, warnings } = await listFiles(branch.store, tree, { folder: root, limits, signal })
    return { files: isBelow(path, root) ? files : [...configuration, ...files], warnings }
  } catch (error) {
    if (!(error instanceof ImportFailure) || error.code !== 'invalid_configuration') throw error
    return { files: configuration, warnings: [] }
  }
}

async function rootOf(
  { store }: Pick<FetchedBranch, 'store'>,
  oid: string | undefined,
  project: string | undefined,
): Promise<string> {
  const isReadable = oid !== undefined && store.has(oid) && (await store.sizeOf(oid)) <= bounds.configurationBytes
  const text = isReadable ? (await store.read(oid, 'blob')).toString() : undefined
  return readConfiguration(text, projectFolder(project)).configuration.root
}
