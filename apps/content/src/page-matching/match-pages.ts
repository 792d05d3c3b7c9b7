import { slugSet } from '@recto/repository-format'
import { groupBy } from '../lists/group-by.ts'
import { canonicalJson } from '../content-map/content-map.ts'
import type { PageRecord } from '../revisions/records.ts'
import { indexPages } from '../pages/page-tree.ts'
import type { KeptInText } from '../revisions/revision.entity.ts'
import {
  committedSettings,
  keptSettings,
  keptSlug,
  keptTitle,
  type SettingName,
  specificationOf,
} from './kept-settings.rules.ts'
import { pageFile } from '../pages/repository-files.ts'
import { ordersFor } from './sibling-orders.ts'

/** A page of an import, before it has an id. */
export interface SourcePage extends Omit<PageRecord, 'id' | 'parent' | 'order' | 'createdAt' | 'updatedAt'> {
  /** Whether the repository sets the slug. */
  hasOwnSlug?: boolean
  pages: SourcePage[]
}

interface Matching {
  newId(): string
  /** Time of the import, ISO 8601. */
  now: string
  /** The folder of the previous content in its repository. */
  root: string
  last?: LastCommit | undefined
  /** Called for each page that keeps settings which the repository does not have, with their names. */
  onKept?: (page: { id: string } & Pick<SourcePage, 'document' | 'git'>, names: string[]) => void
}

/** The pages at the last synchronisation with a commit. */
interface LastCommit {
  pages: { get(id: string): PageRecord | undefined }
  /** Whether the commit had all settings that Markdown has no place for. */
  hasAllSettings: boolean
  kept: Readonly<Record<string, KeptInText>>
}

interface ImportedPage {
  source: SourcePage
  parent: ImportedPage | null
  id?: string
  /** The previous page that the page keeps settings of: the one of its id, else one that it replaces. */
  before?: PageRecord | undefined
}

/**
 * Assigns ids to the pages of an import: those of the previous pages with the same path in the repository, then with the same
 * content, now or in the last commit, where that is unambiguous, then, for entries without file, with the same type, title and parent; else
 * new ids. A matched page keeps `updatedAt` unless it changed, and the settings that its repository lacks (`keptSettings`), as one does that
 * replaces a page of the same title and parent.
 */
export function matchPages(foundPages: SourcePage[], previous: PageRecord[], matching: Matching): PageRecord[] {
  const importedPages = flatten(foundPages, null)
  // Pages are in tree order, so that equal ones are matched by their sequence.
  const previousPages = indexPages(previous).inOrder()
  const free = new Map(previousPages.map(record => [record.id, record]))
  const take = (page: ImportedPage, record: PageRecord | undefined): void => {
    if (!record || page.id !== undefined || !free.delete(record.id)) return
    page.id = record.id
  }
  takeByPath(importedPages, previousPages, take)
  const { last } = matching
  for (const documentOf of [
    (record: PageRecord) => record.document,
    ({ id }: PageRecord) => last?.kept[id]?.document ?? last?.pages.get(id)?.document,
  ]) {
    const byContent = uniqueBy([...free.values()], documentOf)
    const unmatchedByContent = uniqueBy(
      importedPages.filter(page => page.id === undefined),
      page => page.source.document,
    )
    for (const [hash, page] of unmatchedByContent) take(page, byContent.get(hash))
  }
  takeWithoutFile(importedPages, { free, take, newId: matching.newId })
  const before = new Map(previousPages.map(record => [record.id, record]))
  for (const page of importedPages) page.before = before.get(page.id ?? '')
  findReplaced(importedPages, [...free.values()])
  for (const page of importedPages) keepSettings(page, matching)
  keepSlugs(importedPages, before, matching.root)
  return withOrder(importedPages, before).map(record => keepTimes(record, before.get(record.id), matching.now))
}

/** Finds the previous page that a new one replaces: the only one that is gone with its title, below the same or the replaced parent. */
function findReplaced(flattened: ImportedPage[], gone: PageRecord[]): void {
  const key = (title: string, parent: string | null) => JSON.stringify([title, parent])
  const goneByKey = uniqueBy(gone, ({ title, parent }) => key(title, parent))
  const newPages = flattened.filter(({ before }) => !before)
  // Parents come before children, so that a page is found below one that is replaced itself.
  for (const [parent, siblings] of groupBy(newPages, page => page.parent))
    for (const [title, page] of uniqueBy(siblings, ({ source }) => source.title))
      page.before = goneByKey.get(key(title, parent === null ? null : (parent.before?.id ?? '')))
}

function keepSettings(page: ImportedPage, { last, onKept }: Matching): void {
  const { source, before, id = '' } = page
  const lastPage = before && last?.pages.get(before.id)
  const hasAllSettings = last?.hasAllSettings === true
  const keptNames = before && (last?.kept[before.id]?.names as SettingName[] | undefined)
  const settings = {
    ...keptSettings(source, before, committedSettings(source, lastPage, { hasAllSettings, kept: keptNames })),
    ...keptTitle(source, before, hasAllSettings ? lastPage : undefined),
  }
  const names = Object.keys(settings)
  const { document, git } = source
  if (names.length > 0) onKept?.({ id, ...(document !== undefined && { document }), ...(git && { git }) }, names)
  page.source = { ...source, ...settings }
}

/** Gives pages the slugs that they keep, where no sibling does so before; siblings whose slug it would be get another. */
function keepSlugs(flattened: ImportedPage[], before: Map<string, PageRecord>, root: string): void {
  for (const siblings of groupBy(flattened, ({ parent }) => parent).values()) {
    const pageBySlug = new Map<string, ImportedPage>()
    for (const page of siblings) {
      const slug = slugToKeep(page, before, root)
      if (slug !== undefined && !pageBySlug.has(slug)) pageBySlug.set(slug, page)
    }
    if (pageBySlug.size === 0) continue
    const keepers = new Map(Array.from(pageBySlug, ([slug, page]) => [page, slug]))
    const free = slugSet([...pageBySlug.keys()])
    for (const page of siblings) {
      const { slug } = page.source
      if (slug !== undefined) page.source = { ...page.source, slug: keepers.get(page) ?? free(slug) }
    }
  }
}

/** The slug that the repository sets, else the one that the page keeps. */
function slugToKeep({ source, id = '' }: ImportedPage, before: Map<string, PageRecord>, root: string) {
  if (source.slug === undefined || source.hasOwnSlug) return source.slug
  return keptSlug(source, before.get(id), root)
}

type Take = (page: ImportedPage, record: PageRecord | undefined) => void

/** Matches by path in the repository; several pages with one path are matched by their sequence in the tree. */
function takeByPath(flattened: ImportedPage[], records: PageRecord[], take: Take): void {
  const byPath = new Map<string, PageRecord[]>()
  for (const record of records) {
    const file = pageFile(record)
    if (file !== undefined) push(byPath, file, record)
  }
  for (const page of flattened) if (page.source.git) take(page, byPath.get(page.source.git.path)?.shift())
}

/** Matches entries without file. Parents come before children, so that an entry is matched below its matched parent. */
function takeWithoutFile(
  flattened: ImportedPage[],
  { free, take, newId }: { free: Map<string, PageRecord>; take: Take; newId(): string },
): void {
  // Computed pages are known by their specification: their title can be another one here.
  const key = ({ type, title, computed }: Pick<PageRecord, 'type' | 'title' | 'computed'>, parent: string | null) =>
    JSON.stringify([type, specificationOf(computed) ?? title, parent])
  const unmatchedByKey = new Map<string, PageRecord[]>()
  for (const record of free.values()) {
    if (pageFile(record) !== undefined) continue
    push(unmatchedByKey, key(record, record.parent), record)
  }
  for (const page of flattened) {
    if (page.id === undefined && !page.source.git)
      take(page, unmatchedByKey.get(key(page.source, page.parent?.id ?? null))?.shift())
    page.id ??= newId()
  }
}

function flatten(pages: SourcePage[], parent: ImportedPage | null): ImportedPage[] {
  return pages.flatMap(page => {
    const flattened: ImportedPage = { source: page, parent }
    return [flattened, ...flatten(page.pages, flattened)]
  })
}

function withOrder(
  flattened: ImportedPage[],
  before: Map<string, PageRecord>,
): Omit<PageRecord, 'createdAt' | 'updatedAt'>[] {
  const siblings = groupBy(flattened, ({ parent }) => parent)
  const orders = new Map<ImportedPage, string>()
  for (const group of siblings.values()) {
    const keys = ordersFor(
      group.map(({ id = '', parent }) => ({ id, order: orderBelow(before.get(id), parent?.id ?? null) })),
    )
    group.forEach((page, index) => orders.set(page, keys[index] ?? ''))
  }
  return flattened.map(page => recordOf(page, orders.get(page) ?? ''))
}

/** The fractional index a page keeps: it means something only below the same parent. */
function orderBelow(record: PageRecord | undefined, parent: string | null): string | undefined {
  return record?.parent === parent ? record.order : undefined
}

function recordOf(
  { source, id = '', parent }: ImportedPage,
  order: string,
): Omit<PageRecord, 'createdAt' | 'updatedAt'> {
  const record: Partial<SourcePage> & Pick<SourcePage, 'type' | 'title'> = { ...source }
  delete record.pages
  delete record.hasOwnSlug
  return { ...record, id, parent: parent?.id ?? null, order }
}

/** A page with the times of an import: `updatedAt` stays unless something else changed. */
export function keepTimes(
  record: Omit<PageRecord, 'createdAt' | 'updatedAt'>,
  before: PageRecord | undefined,
  now: string,
): PageRecord {
  if (!before) return { ...record, createdAt: now, updatedAt: now }
  const { createdAt, updatedAt, ...old } = before
  return { ...record, createdAt, updatedAt: canonicalJson(old) === canonicalJson(record) ? updatedAt : now }
}

/** Values by key, without those that share a key. */
function uniqueBy<T>(values: T[], keyOf: (value: T) => string | undefined): Map<string, T> {
  const uniqueValues = new Map<string, T | undefined>()
  for (const value of values) {
    const key = keyOf(value)
    if (key !== undefined) uniqueValues.set(key, uniqueValues.has(key) ? undefined : value)
  }
  return new Map([...uniqueValues].flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}

function push<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key)
  if (group) group.push(value)
  else groups.set(key, [value])
}
