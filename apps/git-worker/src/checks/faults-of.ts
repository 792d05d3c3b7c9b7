import { checkPage } from '@recto/markdown'
import { isMarkdown } from '@recto/repository-format'
import { checkRepository, type Finding } from '@recto/repository-check'
import { projectFolder, structureFiles, type Warning } from '@recto/repository-content'
import type { FetchedBranch } from '../clones/use-branch.ts'
import type { RepositoryFile } from '../files/list-files.ts'

/** Finds the faults of a commit, as an import would read it. Files that the clone lacks are fetched: texts at once, others when they are read. */
export async function faultsOf(
  { store, missing }: Pick<FetchedBranch, 'store' | 'missing'>,
  { files, warnings }: { files: RepositoryFile[]; warnings: Warning[] },
  project: string | undefined,
): Promise<Finding[]> {
  const oids = new Map(files.map(({ path, oid }) => [path, oid]))
  const structure = new Set(structureFiles(projectFolder(project)))
  await missing.fetch(files.filter(({ path }) => isMarkdown(path) || structure.has(path)))
  const sizeOf = async (oid: string) => (store.has(oid) ? store.sizeOf(oid) : 0)
  const sizes = await Promise.all(files.map(async ({ path, oid }) => ({ path, size: await sizeOf(oid) })))
  const read = async (path: string) => {
    const oid = oids.get(path) ?? ''
    await missing.fetch([{ path, oid }])
    return store.read(oid, 'blob')
  }
  const parse = async (markdown: string) => checkPage(markdown)
  return checkRepository({ files: sizes, skipped: warnings, read }, { project, checkPage: parse })
}
