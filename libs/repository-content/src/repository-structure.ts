import { readTags, readVariables, type SpaceTag } from '@recto/markdown'
import { tagsPath, variablesPath, type Configuration } from './configuration.ts'
import { outlineOfFolders } from './folder-outline.ts'
import { ImportFailure, isImportFailure, type Warning } from './import-failure.ts'
import type { ImportSet, Manifest } from './import-set.ts'
import { bounds, type Limits } from './limits.ts'
import { countEntries, type Outline } from './outline.ts'
import { readOwnSettings, settingsPath } from './own-settings.ts'
import { outlineOfSummary } from './summary-outline.ts'
import { readSummary } from './summary.ts'

/** The part of the structure of a repository that a warning is about. */
export type StructurePart = 'configuration' | 'summary' | 'settings' | 'variables' | 'tags'

/** The files that describe the content of a repository, wherever they are. */
export interface StructureSource {
  /** Reads a text; undefined where there is none. Throws `too_large` for one above the limit of bytes. */
  readText(path: string, maxBytes: number): Promise<string | undefined>
  warn(part: StructurePart, warnings: readonly Warning[]): void
}

/**
 * Reads the tree of pages: the table of contents, or, without one, the folders. Throws `too_large` when it has more entries than pages are
 * allowed. `paths` are the files of the content.
 */
export async function loadOutline(
  source: StructureSource,
  { root, readme, summary }: Configuration,
  { paths, maxPages }: { paths: ReadonlySet<string> } & Pick<Limits, 'maxPages'>,
): Promise<Outline> {
  const text = await source.readText(summary, bounds.summaryBytes)
  const outline =
    text === undefined
      ? outlineOfFolders([...paths], { root, readme })
      : outlineOfSummary(readSummary(text, summary, maxPages), { path: summary, root, has: path => paths.has(path) })
  source.warn('summary', outline.warnings)
  const count = countEntries(outline.entries)
  if (count <= maxPages) return outline
  throw new ImportFailure(
    'too_large',
    `The table of contents has ${count} entries, over the limit of ${maxPages} pages`,
    { path: summary },
  )
}

/** Reads the tags that the repository describes; a file that is too large is a warning, since tags are labels alone. */
export async function loadTags(source: StructureSource, root: string): Promise<SpaceTag[]> {
  const path = tagsPath(root)
  try {
    const text = await source.readText(path, bounds.configurationBytes)
    if (text === undefined) return []
    const { tags, warnings } = readTags(text, path)
    source.warn('tags', warnings)
    return tags
  } catch (error) {
    if (!isImportFailure(error) || error.code !== 'too_large') throw error
    source.warn('tags', [{ path, message: `The tags cannot be read: ${error.message}` }])
    return []
  }
}

/** Reads the variables of the space. */
export async function loadVariables(source: StructureSource, root: string): Promise<Manifest['variables']> {
  const path = variablesPath(root)
  const text = await source.readText(path, bounds.configurationBytes)
  if (text === undefined) return {}
  const { variables, warnings } = readVariables(text, path)
  source.warn('variables', warnings)
  return variables
}

/** Reads Recto's own file. Throws `invalid_configuration` when it cannot be read, since restricted entries would become public. */
export async function loadSettings(
  source: StructureSource,
  root: string,
): Promise<Pick<ImportSet, 'settings' | 'settingsFile'>> {
  const path = settingsPath(root)
  try {
    const text = await source.readText(path, bounds.settingsBytes)
    const settings = readOwnSettings(text, root)
    if (text === undefined) return { settings, settingsFile: 'absent' }
    if (settings.fault !== undefined) throw new ImportFailure('invalid_configuration', settings.fault, { path })
    source.warn('settings', settings.warnings)
    return { settings, settingsFile: settings.isReadable ? 'read' : 'unreadable' }
  } catch (error) {
    if (!isImportFailure(error) || error.code !== 'too_large') throw error
    throw new ImportFailure('invalid_configuration', `The settings cannot be read: ${error.message}`, { path })
  }
}
