import { isMarkdown, joinInside, settingsFile } from '@recto/repository-format'

/** Documents that are fetched before the configuration says which ones belong to the content. */
const maxDocuments = 2_000

/** The files that say what the content of a project is, unless its configuration names others. */
export function structureFiles(project: string): string[] {
  return ['.gitbook.yaml', 'SUMMARY.md', '.gitbook/vars.yaml', settingsFile].map(
    name => joinInside(project, name) ?? name,
  )
}

/** Which files below a project an import probably needs: those that say what the content is, and all Markdown unless there is too much of it. */
export function likelyFiles<File extends { path: string }>(files: readonly File[], project: string): File[] {
  const structure = new Set(structureFiles(project))
  const documents = files.filter(({ path }) => isMarkdown(path))
  const isFew = documents.length <= maxDocuments
  return files.filter(({ path }) => structure.has(path) || (isFew && isMarkdown(path)))
}
