import { isDeepStrictEqual } from 'node:util'
import { baseName, slugOfFile } from '@recto/repository-format'
import type { FileRecord, PageRecord } from '../revisions/records.ts'
import { settingFields } from '../pages/page-text.ts'
import { filePath, pageFile } from '../pages/repository-files.ts'

/** The settings that an import of a page can lack, and that the page keeps then. */
export type Settings = Pick<PageRecord, 'emoji' | 'cover' | (typeof settingFields)[number]>
/** The name of a setting that a page can keep. */
export type SettingName = keyof Settings
type Kind = Pick<PageRecord, 'type' | 'git' | 'file' | 'document'>

/** The settings of entries that have no front matter. */
const entryFields = ['linkTitle', 'icon', 'hidden', 'noIndex', 'noRobotsIndex', 'condition'] as const

/**
 * The settings that a page keeps when it is imported again from its repository, which does not have them:
 *
 * | page                                                                   | keeps                                  |
 * | ---------------------------------------------------------------------- | -------------------------------------- |
 * | with a file                                                            | emoji, cover and all settings          |
 * | an entry without file                                                  | emoji, those of entries, description   |
 * | a group, a link, a placeholder of computed pages                       | emoji and those of entries             |
 * | that became another type, got a file or lost it                        | those of the above that it can have    |
 * | whose setting the last commit had (`committed`), and this one lacks    | all but that                           |
 * | whose condition the last commit had, and this one lacks                | the condition, too                     |
 *
 * Settings of the repository take precedence. Nothing that a commit lacks opens what is restricted: whoever damages, moves or deletes a
 * file of settings would publish it. A flag that is false is not set.
 */
export function keptSettings(
  imported: Kind & Settings,
  before: PageRecord | undefined,
  committed?: Settings,
): Settings {
  if (!before) return {}
  const last = isSameKind(imported, before) ? (committed ?? {}) : {}
  const keptNames = namesOf(imported).filter(
    name =>
      imported[name] === undefined &&
      before[name] !== undefined &&
      before[name] !== false &&
      (name === 'condition' || !isDeepStrictEqual(last[name], before[name])),
  )
  return Object.fromEntries(keptNames.map(name => [name, before[name]]))
}

/**
 * The settings that the last commit gave a page: those of its front matter, and others where it had all of them (`hasAllSettings`), but for
 * those that the page kept (`kept`). An entry that was a page with a file, or the other way round, has none.
 */
export function committedSettings(
  imported: Kind,
  last: PageRecord | undefined,
  { hasAllSettings, kept = [] }: { hasAllSettings: boolean; kept?: readonly SettingName[] | undefined },
): Settings {
  if (!last || !isSameKind(imported, last)) return {}
  const names = namesOf(last).filter(
    name => !kept.includes(name) && (hasAllSettings || (hasText(last) && name !== 'emoji')),
  )
  return Object.fromEntries(names.map(name => [name, last[name]]))
}

function namesOf(page: Kind): readonly SettingName[] {
  if (hasText(page)) return ['emoji', 'cover', ...settingFields]
  return ['emoji', ...entryFields, ...(page.type === 'document' ? (['description'] as const) : [])]
}

function isSameKind(page: Kind, other: Kind): boolean {
  return page.type === other.type && hasText(page) === hasText(other)
}

/** Whether a page has a file, whose front matter has its settings. */
function hasText(page: Kind): boolean {
  return page.type === 'document' && (pageFile(page) !== undefined || page.document !== undefined)
}

/** The title that a placeholder of computed pages keeps: SUMMARY.md has none, and it is called by its specification there. */
export function keptTitle(
  imported: Pick<PageRecord, 'type' | 'title' | 'computed'>,
  before: PageRecord | undefined,
  synchronised?: PageRecord,
): { title?: string } {
  const usual = specificationOf(imported.computed)
  if (imported.type !== 'computed' || before?.type !== 'computed' || imported.title !== usual) return {}
  return before.title === usual || synchronised?.title === before.title ? {} : { title: before.title }
}

/** The slug of the specification that pages are computed from. */
export function specificationOf(computed: PageRecord['computed']): string | undefined {
  const source = computed as { dependencies?: { spec?: { ref?: { spec?: string } } } } | undefined
  return source?.dependencies?.spec?.ref?.spec
}

/** The name that a file keeps when it is imported again: one that the repository does not have, as a setting that a page keeps. */
export function keptName(
  imported: Pick<FileRecord, 'name' | 'git'>,
  before: FileRecord | undefined,
  synchronised?: FileRecord,
): string | undefined {
  if (!before || filePath(before) !== imported.git?.path || before.name === imported.name) return undefined
  return before.name === baseName(imported.git.path) || synchronised?.name === before.name ? undefined : before.name
}

/**
 * The slug that a page keeps when it is imported again, so that its address stays: that of the same file, and of a renamed file one that
 * was set by hand or follows a title. A slug that came from the name of the file follows its new name, except README.md, the name that an
 * export gives the first page of content which was in no repository. `root` is the folder of the content in its repository.
 */
export function keptSlug(
  { git }: Pick<PageRecord, 'git'>,
  before: PageRecord | undefined,
  root: string,
): string | undefined {
  if (!before) return undefined
  const file = pageFile(before)
  const isNamedByExport = before.git === undefined && git !== undefined && baseName(git.path) === 'README.md'
  if (file === undefined || file === git?.path || isNamedByExport) return before.slug
  return slugByHand(before, file, root)
}

function slugByHand({ slug }: PageRecord, file: string, root: string): string | undefined {
  if (slug === undefined) return undefined
  const ofFile = slugOfFile(file, root)
  const number = slug.startsWith(`${ofFile}-`) ? slug.slice(ofFile.length + 1) : ''
  return slug === ofFile || /^\d+$/.test(number) ? undefined : slug
}
