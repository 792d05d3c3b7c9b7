import { type entrySettings, settingsOfSections } from '@recto/contracts-git-worker-bus'
import { readSettingsFile, type SettingsFile, type SettingValues } from '@recto/markdown'
import {
  joinInside,
  settingsFile,
  settingsKeys,
  type SettingsKey,
  type SettingsSection,
} from '@recto/repository-format'
import { ImportFailure, type Warning } from './import-failure.ts'
import type { OutlineEntry } from './outline.ts'

/** Recto's own file of a repository. */
export type OwnSettings = SettingsFile<SettingsSection>

const commonSettings = ['linkTitle', 'emoji', 'icon', 'hidden', 'noIndex', 'noRobotsIndex', 'condition'] as const

/** The settings in Recto's own file by kind of entry; a page with a file has its other settings in its front matter. */
export const settingsOfKind: Record<OutlineEntry['kind'], readonly (keyof typeof entrySettings)[]> = {
  page: ['slug', 'emoji'],
  text: ['slug', ...commonSettings, 'description'],
  group: ['slug', ...commonSettings],
  link: commonSettings,
  computed: ['title', ...commonSettings],
}

/** The path of Recto's own file below the root of a content. */
export function settingsPath(root: string): string {
  return joinInside(root, settingsFile) ?? settingsFile
}

/** Reads Recto's own file; without a text, there are no settings. */
export function readOwnSettings(text: string | undefined, root: string): OwnSettings {
  return readSettingsFile<SettingsSection>(text ?? 'version: 1', settingsPath(root), settingsOfSections)
}

/**
 * Maps the entries of an outline to their settings, with a warning for settings without effect. Throws `invalid_configuration` for a condition
 * of a missing entry: the entry was renamed or moved, and would be public.
 */
export function settingsOfOutline(
  settings: OwnSettings,
  { entries, root }: { entries: readonly OutlineEntry[]; root: string },
): { of: ReadonlyMap<OutlineEntry, SettingValues>; warnings: Warning[] } {
  const path = settingsPath(root)
  const keys = settingsKeys<OutlineEntry>(entries, root)
  const of = new Map<OutlineEntry, SettingValues>()
  const warnings: Warning[] = []
  for (const [entry, { section, key }] of keys) {
    const values = settings.sections[section].get(key)
    if (!values) continue
    const names = new Set<string>(settingsOfKind[entry.kind])
    of.set(entry, Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))))
    const unused = Object.keys(values).filter(name => !names.has(name))
    if (unused.length > 0) {
      const place = entry.kind === 'page' ? 'have their place in its front matter' : 'are not settings of such an entry'
      const message = `${unused.join(', ')} of ${key} ${place}, and have no effect here`
      warnings.push(atLine({ path, message }, settings.lineOf(section, key)))
    }
  }
  return { of, warnings: [...warnings, ...staleWarnings(settings, [...keys.values()], path)] }
}

/** Gives one warning for all settings of missing entries, since a table of contents can be rewritten as a whole. */
function staleWarnings(settings: OwnSettings, keys: SettingsKey[], path: string): Warning[] {
  return (['pages', 'entries'] as const).flatMap(section => {
    const there = new Set(keys.filter(each => each.section === section).map(({ key }) => key))
    const stale = [...settings.sections[section].keys()].filter(key => !there.has(key))
    const [first] = stale
    if (first === undefined) return []
    const restricted = stale.find(key => section === 'entries' && settings.sections[section].get(key)?.['condition'])
    if (restricted !== undefined)
      throw new ImportFailure(
        'invalid_configuration',
        `The settings have a condition of ${restricted}, which is not in the table of contents: rename that entry of the file, or delete it`,
        { path },
      )
    const message = `${stale.length} entries of ${section} are not in the table of contents and have no effect; the first is ${first}`
    return [atLine({ path, message }, settings.lineOf(section, first))]
  })
}

function atLine(warning: Warning, line: number | undefined): Warning {
  return line === undefined ? warning : { ...warning, line }
}
