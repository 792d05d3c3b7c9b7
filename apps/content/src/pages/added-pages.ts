import { contentLimits } from '@recto/contracts-shared'
import { type ConvertedPage, type ConvertedSet, slugOf, uniqueNames } from '@recto/convert'
import { generateNKeysBetween } from 'fractional-indexing'
import { newDocument, type NewDocument } from '../content-store/new-document.ts'
import type { FileRecord, PageRecord } from '../revisions/records.ts'
import { coverOf } from './page-cover.ts'
import { pageText, withSettings, type PageText } from './page-text.ts'

/** The place where pages are added, with the pages and files there. */
export interface AddedPlace {
  /** The page above them; null at the root. */
  parent: PageRecord | null
  /** The pages directly below it, in order. */
  siblings: PageRecord[]
  /** Paths in the repository that pages and files of the revision have. */
  takenFiles: string[]
  /** ISO 8601. */
  now: string
  newId(): string
}

/** Records to add, and the Markdown files of the pages. */
export interface AddedRecords {
  pages: PageRecord[]
  files: FileRecord[]
  documents: NewDocument[]
}

/**
 * The records of pages and files that are added at the end of the pages below a parent. Slugs are unique among siblings. All paths of
 * the set move into a folder of their own when one of them is taken, so that relative links between them stay right.
 */
export function addedRecords(set: Pick<ConvertedSet, 'pages' | 'files'>, place: AddedPlace): AddedRecords {
  const folder = freeFolder(pathsOf(set), place)
  const documents = new Map<string, NewDocument>()
  const pages: PageRecord[] = []
  const files = set.files.map(({ path, ...file }) => ({ ...file, id: place.newId(), file: `${folder}${path}` }))
  const content = { files: { byPath: (path: string) => files.find(({ file }) => file === path) } }
  const add = (added: ConvertedPage[], parent: string | null, siblings: PageRecord[]): void => {
    const uniqueSlug = uniqueNames(siblings.flatMap(({ slug }) => slug ?? []))
    const orders = generateNKeysBetween(siblings.at(-1)?.order ?? null, null, added.length)
    for (const [at, page] of added.entries()) {
      const id = place.newId()
      const ownSlug = page.settings?.['slug']
      const wantedSlug = typeof ownSlug === 'string' ? ownSlug : slugOf(page.slug)
      const slug = page.type === 'link' ? {} : { slug: uniqueSlug(wantedSlug) }
      const record: PageRecord = {
        id,
        type: typeOf(page, parent),
        title: page.title,
        parent,
        order: orders[at] ?? '',
        ...slug,
        ...(page.file !== undefined && { file: `${folder}${page.file}` }),
        ...(page.href !== undefined && { href: page.href }),
        createdAt: place.now,
        updatedAt: place.now,
      }
      if (page.markdown === undefined) pages.push({ ...record, ...settingsWithoutText(page), ...metadataOf(page) })
      else {
        const text = textOf(page, page.markdown)
        const document = newDocument(text.markdown)
        documents.set(document.hash, document)
        const cover = coverOf(text.cover, record, content)
        const emoji = page.settings?.['emoji']
        const recordWithSettings = { ...withSettings(record, text), ...(typeof emoji === 'string' && { emoji }) }
        pages.push({ ...recordWithSettings, document: document.hash, ...(cover && { cover }) })
      }
      add(page.pages, id, [])
    }
  }
  add(set.pages, place.parent?.id ?? null, place.siblings)
  return { pages, files, documents: [...documents.values()] }
}

/** Groups exist at the root only. */
function typeOf({ type }: ConvertedPage, parent: string | null): PageRecord['type'] {
  return type === 'group' && parent !== null ? 'document' : type
}

/** The text of a page with the settings of the conversion in its front matter, unless that cannot be read. */
function textOf(page: ConvertedPage, markdown: string): PageText {
  const metadata = metadataOf(page)
  const text = pageText(undefined, { markdown, settings: metadata })
  return text.unwritable === undefined ? text : { ...text, settings: { ...text.settings, ...metadata } }
}

function metadataOf({ description, icon, hidden }: ConvertedPage): Pick<PageRecord, 'description' | 'icon' | 'hidden'> {
  const isShort = icon !== undefined && Array.from(icon).length <= contentLimits.icon
  return {
    ...(description !== undefined && { description }),
    ...(isShort && { icon }),
    ...(hidden !== undefined && { hidden }),
  }
}

/** The settings that the source has beside an entry without text; a text has its own. */
function settingsWithoutText({ settings, type }: ConvertedPage): Partial<PageRecord> {
  const { slug: _slug, title: _title, description, ...others } = settings ?? {}
  return { ...others, ...(type === 'document' && description !== undefined && { description }) } as Partial<PageRecord>
}

function pathsOf({ pages, files }: Pick<ConvertedSet, 'pages' | 'files'>): string[] {
  const ofPages = (below: ConvertedPage[]): string[] =>
    below.flatMap(({ file, pages: more }) => [...(file === undefined ? [] : [file]), ...ofPages(more)])
  return [...ofPages(pages), ...files.map(({ path }) => path)]
}

/** The folder, with a slash at its end, in which all paths are free: the top, else that of the parent page, else a numbered one. */
function freeFolder(paths: string[], { parent, takenFiles }: Pick<AddedPlace, 'parent' | 'takenFiles'>): string {
  const takenPaths = new Set(takenFiles.map(path => path.toLowerCase()))
  const isFree = (folder: string) => !paths.some(path => takenPaths.has(`${folder}${path}`.toLowerCase()))
  const name = parent?.slug ?? 'import'
  const firstFolder = parent ? `${name}/` : ''
  let folder = firstFolder
  for (let count = 2; !isFree(folder); count++) folder = `${name}-${count}/`
  return folder
}
