import { settingsOfSections } from '@recto/contracts-git-worker-bus'
import { changedSettingsFile, type SettingsChange, type SettingValues } from '@recto/markdown'
import { baseName, fileSettingsKey, joinInside, settingsKeys, slugOfTitle } from '@recto/repository-format'
import type { SettingsKey, SettingsSection } from '@recto/repository-format'
import { isDeepStrictEqual } from 'node:util'
import {
  type Warning,
  bounds,
  type OutlineEntry,
  outlineSlugs,
  usualSlug,
  type OwnSettings,
  readOwnSettings,
  settingsOfKind,
  settingsPath,
} from '@recto/repository-content'
import type { Content, ContentState } from './export-content.ts'
import type { KeyedEntry } from './contents.ts'

/** The input from which the settings of an export are planned. */
export interface SettingsRequest {
  content: Content
  force: boolean
  root: string
  /** Recto's own file of the branch; undefined where it has none. */
  text: string | undefined
  /** Why the branch cannot have that file; undefined where it can. */
  obstacle: string | undefined
  /** Reads the table of contents of the branch before and after the export; keys are ids of pages. */
  outlines(): { before: KeyedEntry[]; after: KeyedEntry[] }
  /** The paths of records after the export, by their ids. */
  paths: ReadonlyMap<string, string>
}

/** How an export changes Recto's own file: its new text, null to delete it, undefined to leave it. */
export interface PlannedSettings {
  text?: string | null | undefined
  /** Whether the branch has all settings of the content after the export. */
  hasAll: boolean
  warnings: Warning[]
}

/**
 * Decides what an export changes in Recto's own file, which has the settings that the repository has no other place for:
 *
 * | setting                                                                             | in the file                      |
 * | ----------------------------------------------------------------------------------- | -------------------------------- |
 * | of a page with a file: its emoji                                                    | when it is set                   |
 * | of any other entry: emoji, icon, flags, condition, description                      | when it is set                   |
 * | a slug that is not that of the file or title, but for a number                      | as it is                         |
 * | the slug of README.md at the top that follows its title                             | never                            |
 * | the title of computed pages that is not that of their specification                 | as it is                         |
 * | the name of a file that is not that of its path                                     | as it is                         |
 * | any that did not change since the last synchronisation, whose commit has all of them | as the branch has it             |
 */
export function planSettingsFile(request: SettingsRequest): PlannedSettings {
  const { content, force, root, text, obstacle } = request
  const path = settingsPath(root)
  const base = content.isSameBranch && !force && content.base?.settings === 'all' ? content.base : undefined
  if (base && isDeepStrictEqual(settingsOf(content.now), settingsOf(base))) return { hasAll: true, warnings: [] }
  const file = readOwnSettings(text, root)
  const { changes, hasAll } = new SettingsPlan(request, { file, base }).changes()
  const isUsable = file.isReadable && obstacle === undefined
  const nextText = isUsable ? changedSettingsFile(text, changes, settingsOfSections) : undefined
  const isTooLarge = typeof nextText === 'string' && Buffer.byteLength(nextText) > bounds.settingsBytes
  if (isUsable && !isTooLarge) return { text: nextText, hasAll, warnings: [] }
  if (changes.every(({ values }) => Object.keys(values).length === 0)) return { hasAll: false, warnings: [] }
  const reason = obstacle ?? (isTooLarge ? 'it would be too large' : 'it is not a file of settings with version: 1')
  const message = `Settings that Markdown has no place for are not exported, since ${path} cannot be written: ${reason}`
  return { hasAll: false, warnings: [{ path, message }] }
}

/** Selects all fields that decide the text of the file, to compare two states. */
function settingsOf({ pages, files }: ContentState): unknown {
  return [
    pages.map(({ id, parent, type, title, path, settings = {} }) => [id, parent, type, title, path, settings]),
    files.map(({ id, path, name }) => [id, path, name]),
  ]
}

interface Entry {
  id: string
  entry: OutlineEntry
  place: SettingsKey
}

class SettingsPlan {
  readonly #request: SettingsRequest
  readonly #file: OwnSettings
  readonly #base: ContentState | undefined
  readonly #changes = new Map<string, SettingsChange<SettingsSection>>()
  #hasAll = true

  constructor(request: SettingsRequest, { file, base }: { file: OwnSettings; base: ContentState | undefined }) {
    this.#request = request
    this.#file = file
    this.#base = base
  }

  changes(): { changes: SettingsChange<SettingsSection>[]; hasAll: boolean } {
    this.#planEntries()
    this.#planFiles()
    return { changes: [...this.#changes.values()], hasAll: this.#hasAll }
  }

  #planEntries(): void {
    const { content, root, outlines } = this.#request
    const { before, after } = outlines()
    const places = new Map(entriesOf(before, root).map(({ id, place }) => [id, place]))
    const pageIds = new Set([...content.now.pages, ...(content.base?.pages ?? [])].map(({ id }) => id))
    // Removed entries come first: another entry can get the same place.
    for (const [id, place] of places) if (pageIds.has(id)) this.#set(place, {})
    const now = new Map(content.now.pages.map(page => [page.id, page]))
    const base = new Map(this.#base?.pages.map(page => [page.id, page]))
    const entries = entriesOf(after, root)
    const slugs = neededSlugs(
      after.map(({ entry }) => entry),
      { root, slugsSetByHand: new Map(entries.flatMap(({ id, entry }) => slugSetByHand(entry, now.get(id), root))) },
    )
    for (const { id, entry, place } of entries) {
      const page = now.get(id)
      if (!page) continue
      const names = settingsOfKind[entry.kind].filter(name => name !== 'slug' && name !== 'title')
      const title = entry.kind === 'computed' && page.title !== entry.title ? { title: page.title } : {}
      const slug = slugs.has(entry) ? { slug: slugs.get(entry) } : {}
      const ofBase = base.get(id)
      const branch = this.#branchValues(places.get(id))
      const isSameSlug = page.settings?.['slug'] === ofBase?.settings?.['slug']
      const values = this.#mergeValues({
        now: { ...pickSettings(page.settings, names), ...title, ...slug },
        unchanged: ofBase && [
          ...names.filter(name => page.settings?.[name] === ofBase.settings?.[name]),
          ...(isSameSlug && (!slugs.has(entry) || branch['slug'] !== undefined) ? ['slug'] : []),
          ...(page.title === ofBase.title ? ['title'] : []),
        ],
        branch,
      })
      this.#set(place, values)
    }
  }

  #planFiles(): void {
    const { content, root, paths } = this.#request
    const base = new Map(this.#base?.files.map(file => [file.id, file]))
    const placeOf = (path: string) => fileSettingsKey(joinInside(root, path) ?? path, root)
    for (const { path } of content.base?.files ?? []) this.#set(placeOf(path), {})
    for (const { id, name, path: ownPath } of content.now.files) {
      const path = paths.get(id)
      if (path === undefined || name === undefined) continue
      const ofBase = base.get(id)
      const values = this.#mergeValues({
        now: name === baseName(path) ? {} : { name },
        unchanged: ofBase && ofBase.name === name && ofBase.path === ownPath ? ['name'] : [],
        branch: this.#branchValues(placeOf(ofBase?.path ?? ownPath)),
      })
      this.#set(fileSettingsKey(path, root), values)
    }
  }

  /** Merges the settings of an entry: changed settings come from the content, all others from the branch. */
  #mergeValues({
    now,
    unchanged = [],
    branch,
  }: {
    now: Record<string, string | boolean | undefined>
    unchanged: string[] | undefined
    branch: SettingValues
  }): SettingValues {
    const values: SettingValues = {}
    for (const name of new Set([...Object.keys(now), ...Object.keys(branch)])) {
      const value = unchanged.includes(name) ? branch[name] : now[name]
      if (value !== undefined) values[name] = value
    }
    return values
  }

  #branchValues(place: SettingsKey | undefined): SettingValues {
    return (place && this.#file.sections[place.section].get(place.key)) ?? {}
  }

  /** Settings that the schema of the file refuses are left out; only the content has them then. */
  #set({ section, key }: SettingsKey, values: SettingValues): void {
    const schema: Record<string, { safeParse(value: unknown): { success: boolean } }> = settingsOfSections[section]
    const usable = Object.entries(values).filter(([name, value]) => schema[name]?.safeParse(value).success === true)
    if (usable.length < Object.keys(values).length) this.#hasAll = false
    this.#changes.delete(`${section} ${key}`)
    this.#changes.set(`${section} ${key}`, { section, key, values: Object.fromEntries(usable) })
  }
}

/** The entries of a table of contents with the ids of their pages and the places of their settings, in reading order. */
function entriesOf(keyed: KeyedEntry[], root: string): Entry[] {
  const places = settingsKeys<OutlineEntry>(
    keyed.map(({ entry }) => entry),
    root,
  )
  const visit = (each: KeyedEntry[]): Entry[] =>
    each.flatMap(({ key, entry, children }) => {
      const place = places.get(entry)
      return [...(place ? [{ id: key, entry, place }] : []), ...visit(children)]
    })
  return visit(keyed)
}

type ExportedPage = ContentState['pages'][number]

/**
 * Returns the slug of an entry when it was set by hand. A slug that follows from the file or the title, with or without a number, was not;
 * neither was the slug of README.md at the top when it follows the title, since the first page becomes README.md.
 */
function slugSetByHand(entry: OutlineEntry, page: ExportedPage | undefined, root: string): [OutlineEntry, string][] {
  const slug = page?.settings?.['slug']
  if (!page || typeof slug !== 'string' || entry.kind === 'link' || entry.kind === 'computed') return []
  const followsTitle = withoutNumber(slug) === withoutNumber(slugOfTitle(page.title))
  const isHome = entry.kind === 'page' && entry.path === joinInside(root, 'README.md')
  const isUsual = withoutNumber(slug) === withoutNumber(usualSlug(entry, root))
  return isUsual || (isHome && followsTitle) ? [] : [[entry, slug]]
}

function withoutNumber(slug: string): string {
  return slug.replace(/-\d+$/, '')
}

/** Rounds of assigning slugs: a slug in the file can take the slug of a sibling, which then needs its own. */
const maxRounds = 10

/** Returns the slugs that the file must have so that an import gives each entry the slug that was set by hand. */
function neededSlugs(
  entries: OutlineEntry[],
  { root, slugsSetByHand }: { root: string; slugsSetByHand: Map<OutlineEntry, string> },
): Map<OutlineEntry, string> {
  const ownSlugs = new Map<OutlineEntry, string>()
  for (let round = 0; round < maxRounds; round++) {
    const slugs = outlineSlugs(entries, { root, ownSlug: entry => ownSlugs.get(entry) })
    const others = [...slugsSetByHand].filter(([entry, slug]) => !ownSlugs.has(entry) && slugs.get(entry) !== slug)
    if (others.length === 0) return ownSlugs
    for (const [entry, slug] of others) ownSlugs.set(entry, slug)
  }
  return slugsSetByHand
}

function pickSettings(settings: SettingValues | undefined, names: readonly string[]): SettingValues {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([name]) => names.includes(name)))
}
