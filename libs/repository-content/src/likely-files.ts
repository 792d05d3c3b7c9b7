import { isMarkdown, joinInside } from '@recto/repository-format'
import { tagsPath, variablesPath } from './configuration.ts'
import { settingsPath } from './own-settings.ts'

/** Limit on the documents that are fetched before the configuration shows which belong to the content. */
const maxDocuments = 2_000

/** The usual files that describe the content of a project; its configuration can name others. */
export function structureFiles(project: string): string[] {
  const usual = ['.gitbook.yaml', 'SUMMARY.md'].map(name => joinInside(project, name) ?? name)
  return [...usual, variablesPath(project), tagsPath(project), settingsPath(project)]
}

/** Selects the files of a project that an import probably needs: those that describe the content, and Markdown files unless there are too many. */
export function likelyFiles<File extends { path: string }>(files: readonly File[], project: string): File[] {
  const structure = new Set(structureFiles(project))
  const documents = files.filter(({ path }) => isMarkdown(path))
  const isFew = documents.length <= maxDocuments
  return files.filter(({ path }) => structure.has(path) || (isFew && isMarkdown(path)))
}
