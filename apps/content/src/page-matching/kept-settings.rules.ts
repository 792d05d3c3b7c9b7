import { isDeepStrictEqual } from 'node:util'
import { baseName, slugOfFile } from '@recto/repository-format'
import type { FileRecord, PageRecord } from '../revisions/records.ts'
import { settingFields } from '../pages/page-text.ts'
import { filePath, pageFile } from '../pages/repository-files.ts'

type Settings = Pick<PageRecord, 'emoji' | (typeof settingFields)[number]>

/**
 * The settings that a page keeps when it is imported again from its repository, which does not have them:
 *
 * | page                                                                    | keeps                  |
 * | ----------------------------------------------------------------------- | ---------------------- |
 * | with a file                                                             | emoji                  |
 * | a group, a link, an entry without file, a placeholder of computed pages | emoji and all settings |
 * | that became another type, or got a file                                 | emoji                  |
 * | whose setting the last commit had (`synchronised`), and this one lacks  | all but that           |
 * | whose condition the last commit had, and this one lacks                 | the condition, too     |
 *
 * Settings of the repository take precedence. Nothing that a commit lacks opens what is restricted: whoever damages, moves or deletes a
 * file of settings would publish it.
 */
export function keptSettings(
  imported: Pick<PageRecord, 'type' | 'git'> & Settings,
  before: PageRecord | undefined,
  synchronised?: PageRecord,
): Settings {
  if (!before) return {}
  const isWithoutFile = imported.type === before.type && imported.git === undefined && pageFile(before) === undefined
  const names = ['emoji', ...(isWithoutFile ? settingFields : [])] as const
  const keptNames = names.filter(
    name =>
      imported[name] === undefined &&
      before[name] !== undefined &&
      (name === 'condition' || !(synchronised && isDeepStrictEqual(synchronised[name], before[name]))),
  )
  return Object.fromEntries(keptNames.map(name => [name, before[name]]))
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
 * was set by hand or follows a title. A slug that came from the name of the file follows its new name. `root` is the folder of the content
 * in its repository.
 */
export function keptSlug(
  { git }: Pick<PageRecord, 'git'>,
  before: PageRecord | undefined,
  root: string,
): string | undefined {
  if (!before) return undefined
  const file = pageFile(before)
  return file === undefined || file === git?.path ? before.slug : slugByHand(before, file, root)
}

function slugByHand({ slug }: PageRecord, file: string, root: string): string | undefined {
  if (slug === undefined) return undefined
  const ofFile = slugOfFile(file, root)
  const number = slug.startsWith(`${ofFile}-`) ? slug.slice(ofFile.length + 1) : ''
  return slug === ofFile || /^\d+$/.test(number) ? undefined : slug
}
