import type { TargetLookup } from '@recto/repository-content'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { PageIndex } from './page-tree.ts'
import { filePath, pageFile, reusableFile } from './repository-files.ts'
import type { FileIndex } from './revision-index.ts'

/** The lookup for targets of references: the content of one revision. */
export interface ContentLookup extends TargetLookup {
  page(id: string): PageRecord | undefined
  pageByPath(path: string): PageRecord | undefined
  pageByFile(file: string): PageRecord | undefined
  file(id: string): FileRecord | undefined
  fileByPath(file: string): FileRecord | undefined
  reusable(id: string): ReusableRecord | undefined
  reusableByFile(file: string): ReusableRecord | undefined
}

/** The content of a revision. */
export interface RevisionContent {
  pages: PageIndex
  files: FileIndex
  reusable: ReusableRecord[]
  root: string
}

/** Maps depend on the page tree only, and are built once for it. */
const filesOfPages = new WeakMap<PageIndex, Map<string, PageRecord>>()
const pathsOfFiles = new WeakMap<FileIndex, Map<string, FileRecord>>()

/** Finds pages and files of a revision by the paths of their files. */
export function contentLookup(
  { pages, files, reusable, root }: RevisionContent,
  { spaceId, publicUrl }: { spaceId: string; publicUrl: string },
): ContentLookup {
  const byFile = getOrMake(filesOfPages, pages, () => new Map(firstOf(pages.inOrder(), page => fileOf(page, pages))))
  const fileByPath = getOrMake(pathsOfFiles, files, () => new Map(firstOf(files.inOrder, filePath)))
  const reusableByFile = new Map(firstOf(reusable, reusableFile))
  return {
    spaceId,
    publicUrl,
    root,
    page: id => pages.get(id),
    pageByPath: path => pages.byPath(path),
    pageByFile: file => byFile.get(file),
    file: id => files.get(id),
    fileByPath: file => fileByPath.get(file),
    reusable: id => reusable.find(record => record.id === id),
    reusableByFile: file => reusableByFile.get(file),
  }
}

/** The path of a page's file; of an entry without file, the one that its path gives it. */
export function fileOf(page: PageRecord, pages: PageIndex): string {
  return pageFile(page) ?? `${pages.pathOf(page.id)}.md`
}

/** Items by key; of several with the same key, the first has it. */
function firstOf<Item>(items: Item[], keyOf: (item: Item) => string): [string, Item][] {
  return items.map((item): [string, Item] => [keyOf(item), item]).reverse()
}

function getOrMake<Key extends object, Value>(cache: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const value = cache.get(key) ?? make()
  cache.set(key, value)
  return value
}
