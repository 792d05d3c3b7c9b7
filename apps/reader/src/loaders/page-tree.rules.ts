import type { DocumentPage, File, Page, Revision } from '../api/types.ts'

/** A document in the tree of a revision, with what is around it. */
export interface TreePage {
  page: DocumentPage
  /** Groups and documents above it, the root first. */
  above: readonly Page[]
}

/** A revision, indexed. */
export interface PageTree {
  /** Documents in the order of reading. */
  documents: readonly TreePage[]
  byId: ReadonlyMap<string, TreePage>
  fileById: ReadonlyMap<string, File>
  /** Finds a page by its path below the space, or its first document for the path of a group; case matters only where two differ in nothing else. */
  at(path: string): { treePage: TreePage; isExact: boolean } | undefined
  /** The home page: the first document that shows. */
  home: TreePage | undefined
}

const trees = new WeakMap<Revision, PageTree>()

/** Indexes a revision; the same revision is indexed once. */
export function pageTree(revision: Revision): PageTree {
  const cachedTree = trees.get(revision)
  if (cachedTree) return cachedTree
  const tree = indexTree(revision)
  trees.set(revision, tree)
  return tree
}

function indexTree({ pages, files }: Revision): PageTree {
  const documents: TreePage[] = []
  const groups = new Map<string, DocumentPage | undefined>()
  const pending: { page: Page; above: readonly Page[] }[] = pages.toReversed().map(page => ({ page, above: [] }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { page, above } = next
    if (page.type === 'document') documents.push({ page, above })
    if (page.type === 'group') groups.set(page.path, firstIn(page.pages))
    const below = 'pages' in page ? page.pages : []
    for (const child of below.toReversed()) pending.push({ page: child, above: [...above, page] })
  }
  const byId = new Map(documents.map(treePage => [treePage.page.id, treePage]))
  const byPath = new Map(documents.toReversed().map(treePage => [treePage.page.path, treePage]))
  const byLowerCase = new Map(documents.toReversed().map(treePage => [treePage.page.path.toLowerCase(), treePage]))
  const home = documents.find(({ page }) => !page.hidden) ?? documents[0]
  return {
    documents,
    byId,
    home,
    fileById: new Map(files.map(file => [file.id, file])),
    at(path) {
      const exact = path === '' ? home : byPath.get(path)
      if (exact) return { treePage: exact, isExact: true }
      const other = byLowerCase.get(path.toLowerCase()) ?? byId.get(groups.get(path)?.id ?? '')
      return other && { treePage: other, isExact: false }
    },
  }
}

/** The tree of a space whose home is another page than the first; as it is where there is no such page. */
export function withHome(tree: PageTree, page: string | undefined): PageTree {
  const home = page === undefined ? undefined : tree.byId.get(page)
  if (!home) return tree
  return { ...tree, home, at: path => (path === '' ? { treePage: home, isExact: true } : tree.at(path)) }
}

function firstIn(pages: readonly Page[]): DocumentPage | undefined {
  for (const page of pages) if (page.type === 'document' && !page.hidden) return page
  return undefined
}

/** Whether the navigation shows a page: those that are hidden, and all below them, are left out. */
export function isInNavigation({ page, above }: TreePage): boolean {
  return [page, ...above].every(each => !('hidden' in each && each.hidden))
}

/** Whether lists for programs name a page: those that show, and are found by searches. */
export function isListed(treePage: TreePage): boolean {
  const { page, above } = treePage
  return isInNavigation(treePage) && [page, ...above].every(each => !('noIndex' in each && each.noIndex))
}

/** The documents before and after one, of those that show, in the order of reading. */
export function neighboursOf({ documents }: PageTree, id: string): { before?: DocumentPage; after?: DocumentPage } {
  const visibleDocuments = documents.filter(({ page }) => !page.hidden || page.id === id)
  const at = visibleDocuments.findIndex(({ page }) => page.id === id)
  if (at === -1) return {}
  const before = visibleDocuments[at - 1]?.page
  const after = visibleDocuments[at + 1]?.page
  return { ...(before && { before }), ...(after && { after }) }
}
