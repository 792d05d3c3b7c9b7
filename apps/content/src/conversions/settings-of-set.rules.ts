import { settingsOfSections } from '@recto/contracts-git-worker-bus'
import { type ConvertedPage, type ConvertedSet, ConvertFailure } from '@recto/convert'
import { readSettingsFile } from '@recto/markdown'
import {
  fileSettingsKey,
  type PlacedEntry,
  settingsKeys,
  type SettingsKey,
  type SettingsSection,
} from '@recto/repository-format'

interface PlacedPage extends PlacedEntry<PlacedPage> {
  page: ConvertedPage
  children: PlacedPage[]
}

/**
 * Applies the settings of Recto's own file in a set to its pages and files, as an import of a repository does. Throws a `ConvertFailure`
 * when the file cannot be read, or has a condition of a page that is not in the set.
 */
export function withSettingsOfSet(set: ConvertedSet): ConvertedSet {
  const { settings, ...rest } = set
  if (!settings) return rest
  const file = readSettingsFile<SettingsSection>(settings.text, settings.path, settingsOfSections)
  if (file.fault !== undefined) throw new ConvertFailure('invalid', `${settings.path}: ${file.fault}`)
  const keys = settingsKeys<PlacedPage>(set.pages.map(placedPage), '')
  const existingKeys = new Set(Array.from(keys.values(), ({ key }) => key))
  const missing = [...file.sections.entries].find(
    ([key, { condition }]) => condition !== undefined && !existingKeys.has(key),
  )
  if (missing)
    throw new ConvertFailure('invalid', `${settings.path} has a condition of ${missing[0]}, which is not there`)
  const places = new Map(Array.from(keys, ([{ page }, key]) => [page, key]))
  const valuesAt = ({ section, key }: SettingsKey) => file.sections[section].get(key)
  const withSettings = (page: ConvertedPage): ConvertedPage => {
    const place = places.get(page)
    const values = place && valuesAt(place)
    return { ...page, ...(values && { settings: values }), pages: page.pages.map(withSettings) }
  }
  return {
    ...rest,
    pages: set.pages.map(withSettings),
    files: set.files.map(each => ({ ...each, ...valuesAt(fileSettingsKey(each.path, '')) })),
    warnings: [...set.warnings, ...file.warnings.map(({ path, message }) => ({ path, message }))],
  }
}

function placedPage(page: ConvertedPage): PlacedPage {
  const { type, title, file, pages } = page
  const kind = type === 'document' ? (file === undefined ? 'text' : 'page') : type
  return { page, kind, title, path: file, children: pages.map(placedPage) }
}
