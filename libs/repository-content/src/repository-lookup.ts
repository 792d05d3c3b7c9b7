import { createHash } from 'node:crypto'
import { joinInside } from '@recto/repository-format'
import type { Manifest } from './import-set.ts'
import type { TargetLookup } from './resolve-target.ts'

/** An entry of the page tree of a manifest. */
export type ManifestPage = Manifest['pages'][number]

/** An entry of the page tree with its id and path. */
export interface PlacedPage {
  id: string
  /** The id of the entry that it is below; null at the root. */
  parent: string | null
  /** The slugs of the entry and of those above it. */
  path: string
  page: ManifestPage
}

/** The entries of a page tree in order. Ids follow from the files of pages, and from the places of entries without file. */
function pageIds(pages: readonly ManifestPage[]): PlacedPage[] {
  const taken = new Set<string>()
  const visit = (
    siblings: readonly ManifestPage[],
    above: { path: string; key: string; id: string | null },
  ): PlacedPage[] =>
    siblings.flatMap(page => {
      const file = page.type === 'document' ? page.git?.path : undefined
      const key = file ?? freeKey(`${above.key}\0${page.type}\0${page.title}`, taken)
      const slug = 'slug' in page ? page.slug : ''
      const path = [above.path, slug].filter(Boolean).join('/')
      const id = repositoryId('page', key)
      const below = 'pages' in page ? visit(page.pages, { path, key, id }) : []
      return [{ id, parent: above.id, path, page }, ...below]
    })
  return visit(pages, { path: '', key: '', id: null })
}

function freeKey(preferredKey: string, taken: Set<string>): string {
  let key = preferredKey
  for (let count = 2; taken.has(key); count += 1) key = `${preferredKey}\0${count}`
  taken.add(key)
  return key
}

/** The id of what a key names in a folder, which has no ids: the same for the same key. */
export function repositoryId(kind: 'page' | 'file' | 'reusable-content', key: string): string {
  return createHash('sha256').update(`${kind}\0${key}`).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 20)
}

/** A file of a manifest with its id. */
export interface PlacedFile {
  id: string
  file: Manifest['files'][number]
}

/** A reusable content of a manifest with its id. */
export interface PlacedReusable {
  id: string
  content: Manifest['reusableContents'][number]
}

/** The lookup of a manifest. */
export interface RepositoryLookup extends TargetLookup {
  /** The entries of the page tree in order. */
  entries: readonly PlacedPage[]
  page(id: string): PlacedPage | undefined
  pageByPath(path: string): PlacedPage | undefined
  pageByFile(file: string): PlacedPage | undefined
  file(id: string): PlacedFile | undefined
  fileByPath(file: string): PlacedFile | undefined
  reusable(id: string): PlacedReusable | undefined
  reusableByFile(file: string): PlacedReusable | undefined
}

/** The content of a manifest, in which targets of its pages are looked up. */
export function lookupOf(
  { pages, files, reusableContents, configuration }: Manifest,
  place: Pick<TargetLookup, 'spaceId' | 'publicUrl'>,
): RepositoryLookup {
  const entries = pageIds(pages)
  const pagesById = new Map(entries.map(entry => [entry.id, entry]))
  const byFile = firstOf(entries, ({ page, path }) =>
    page.type === 'document' && page.git ? page.git.path : (joinInside(configuration.root, `${path}.md`) ?? path),
  )
  const byPath = firstOf(
    entries.filter(({ page }) => 'slug' in page),
    ({ path }) => path,
  )
  const fileByPath = new Map(files.map(file => [file.git.path, { id: repositoryId('file', file.git.path), file }]))
  const fileIds = new Map([...fileByPath.values()].map(file => [file.id, file]))
  const reusableByFile = new Map(
    reusableContents.map(content => [
      content.git.path,
      { id: repositoryId('reusable-content', content.git.path), content },
    ]),
  )
  const reusableIds = new Map([...reusableByFile.values()].map(reusable => [reusable.id, reusable]))
  return {
    ...place,
    entries,
    root: configuration.root,
    page: id => pagesById.get(id),
    pageByPath: path => byPath.get(path),
    pageByFile: file => byFile.get(file),
    file: id => fileIds.get(id),
    fileByPath: path => fileByPath.get(path),
    reusable: id => reusableIds.get(id),
    reusableByFile: path => reusableByFile.get(path),
  }
}

/** Items by key; of several with the same key, the first has it. */
function firstOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item> {
  return new Map(items.map((item): [string, Item] => [keyOf(item), item]).reverse())
}
