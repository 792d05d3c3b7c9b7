import { isDeepStrictEqual } from 'node:util'
import {
  firstHeading,
  frontMatterOf,
  pageCover,
  pageSettings,
  readPageSource,
  splitPage,
  writeFrontMatter,
  type FrontMatter,
  type PageCover,
  type PageMetaLinks,
} from '@recto/markdown'
import type { PageRecord } from '../revisions/records.ts'

/** The fields of a page that its front matter holds; it also holds the cover. */
export const settingFields = [
  'linkTitle',
  'description',
  'icon',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'variables',
  'layout',
  'metaLinks',
  'tags',
] as const
type SettingField = (typeof settingFields)[number]

/** Settings that a change names; null removes one. */
export interface SettingChanges {
  linkTitle?: string | null | undefined
  description?: string | null | undefined
  icon?: string | null | undefined
  hidden?: boolean | undefined
  noIndex?: boolean | undefined
  noRobotsIndex?: boolean | undefined
  condition?: string | null | undefined
  metaLinks?: PageMetaLinks | null | undefined
}

/** The Markdown of a page, with the title and the settings of its front matter. */
export interface PageText {
  markdown: string
  settings: Pick<PageRecord, SettingField>
  cover: PageCover | undefined
  /** The title of the front matter, else the first heading. */
  title: string | undefined
  /** Faults of the front matter and of its fields. */
  faults: string[]
  /** The reason why the settings of the change could not be written into the front matter. */
  unwritable?: string
}

/**
 * The text of a page after a change. Markdown without front matter keeps the front matter that the page had; settings are written into
 * the front matter, so that the file has the settings of the page.
 */
export function pageText(
  before: string | undefined,
  { markdown, settings }: { markdown: string | undefined; settings: SettingChanges },
): PageText {
  const text = markdown === undefined ? (before ?? '') : keepFrontMatter(before, markdown)
  const { condition, linkTitle, description, icon, hidden, noIndex, noRobotsIndex, metaLinks } = settings
  const changes = { linkTitle, description, icon, hidden, noIndex, noRobotsIndex, if: condition, metaLinks }
  const changedKeys = Object.entries(changes).filter(([, value]) => value !== undefined)
  if (changedKeys.length === 0) return readText(text)
  try {
    return readText(
      writeFrontMatter(text, Object.fromEntries(changedKeys.map(([key, value]) => [key, value ?? undefined]))),
    )
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { ...readText(text), unwritable: error.message }
  }
}

/**
 * The text of a page with its settings in the front matter. They differ from the text where something else set them: an import whose table
 * of contents leaves a page out hides it. `cover` is front matter that is written, too. `unwritable` has the settings for which unreadable
 * front matter has no place.
 */
export function textWithSettings(
  markdown: string | undefined,
  page: Pick<PageRecord, SettingField>,
  cover: Record<string, unknown> = {},
): { markdown: string | undefined; unwritable: Pick<PageRecord, SettingField> } {
  const { settings } = readText(markdown ?? '')
  const changedFields = settingFields.filter(field => !isDeepStrictEqual(page[field], settings[field]))
  if (changedFields.length + Object.keys(cover).length === 0) return { markdown, unwritable: {} }
  const values = Object.fromEntries(changedFields.map(field => [field, page[field]])) as Pick<PageRecord, SettingField>
  try {
    return { markdown: writeFrontMatter(markdown ?? '', { ...frontMatterOf(values), ...cover }), unwritable: {} }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { markdown, unwritable: values }
  }
}

function keepFrontMatter(before: string | undefined, markdown: string): string {
  if (before === undefined || hasFrontMatter(markdown)) return markdown
  const { body, bodyOffset } = splitPage(before)
  const head = before.slice(0, bodyOffset)
  if (markdown === '') return head
  const blankLines = /^(?:\r?\n)*/.exec(body)?.[0] ?? ''
  return head === '' || /^\r?\n/.test(markdown) ? head + markdown : head + blankLines + markdown
}

function hasFrontMatter(markdown: string): boolean {
  return splitPage(markdown).head !== undefined
}

function readText(markdown: string): PageText {
  const { frontMatter, body, warnings } = readPageSource(markdown, '')
  return {
    markdown,
    settings: pageSettings(frontMatter),
    cover: pageCover(frontMatter),
    title: titleOf(frontMatter, body),
    faults: warnings.map(({ message, line }) => (line === undefined ? message : `${message} (line ${line})`)),
  }
}

function titleOf({ title }: FrontMatter, body: string): string | undefined {
  return title?.trim() || firstHeading(body)
}

/** A page with the settings of its text in place of those that it had. */
export function withSettings(record: PageRecord, { settings }: Pick<PageText, 'settings'>): PageRecord {
  const rest: PageRecord = { ...record }
  for (const field of settingFields) delete rest[field]
  return { ...rest, ...settings }
}
