import type { DocumentNode, JSONDocument } from '@recto/markdown'
import { operationKey, refKey, type Target } from '@recto/pdf'
import type { PageIndex } from '../pages/page-tree.ts'
import type { FileIndex } from '../pages/revision-index.ts'
import type { SpecOutline } from '../computed-pages/computed-text.rules.ts'

/** The content in which the references of a document are looked up. */
export interface TargetLookup {
  /** The page that has the document. */
  page: string
  spaceId: string
  publicUrl: string
  pages: PageIndex
  files: FileIndex
  outlines: Map<string, SpecOutline>
}

type Ref = Record<string, unknown> & { kind: string }

/** Every reference of a document with its target, and the titles of the operations that it shows. */
export function targetsOf(document: JSONDocument, lookup: TargetLookup): Record<string, Target> {
  const targets: Record<string, Target> = {}
  for (const ref of refsOf(document)) targets[refKey(ref)] ??= targetOf(ref, lookup)
  for (const [slug, { pages }] of lookup.outlines) {
    const operations = pages.flatMap(page => [
      ...page.operations.map(({ method, path, title }) => ({ method, name: path, title })),
      ...page.webhooks,
    ])
    for (const { method, name, title } of operations)
      if (title !== undefined) targets[operationKey(slug, method, name)] = { title }
  }
  return targets
}

/** All references of a document: in the data of its blocks and inlines, wherever they stand. */
export function refsOf(document: JSONDocument): Ref[] {
  const refs: Ref[] = []
  const visit = (nodes: readonly DocumentNode[]) => {
    for (const node of nodes) {
      if (node.object === 'text') continue
      collect(node.data, refs)
      visit(node.nodes ?? [])
      for (const { nodes: inside } of node.fragments ?? []) visit(inside)
    }
  }
  visit(document.nodes)
  return refs
}

function collect(value: unknown, refs: Ref[]): void {
  if (typeof value !== 'object' || value === null) return
  if ('kind' in value && typeof value.kind === 'string') refs.push(value as Ref)
  for (const item of Object.values(value)) {
    // Cells of files hold ids.
    const ids = Array.isArray(item) ? item.filter(entry => typeof entry === 'string') : []
    for (const id of ids) refs.push({ kind: 'file', file: id })
    collect(item, refs)
  }
}

/** The URL of a page of another space, which the PDF does not contain: it leads to its site, and keeps its id. */
function urlElsewhere(
  { space, id, anchor }: { space: string; id: string | undefined; anchor: string | undefined },
  publicUrl: string,
): string {
  const page = id === undefined ? '' : `/~/pages/${encodeURIComponent(id)}`
  const hash = anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`
  return `${publicUrl}/s/${encodeURIComponent(space)}${page}${hash}`
}

function targetOf(ref: Ref, { page, spaceId, publicUrl, pages, files }: TargetLookup): Target {
  const text = (name: string) => (typeof ref[name] === 'string' ? ref[name] : undefined)
  switch (ref.kind) {
    case 'page':
    case 'anchor': {
      const id = text('page') ?? page
      const anchor = text('anchor')
      const space = text('space')
      if (space !== undefined && space !== spaceId)
        return { url: urlElsewhere({ space, id: text('page'), anchor }, publicUrl) }
      const url = `${publicUrl}/s/${spaceId}/${encodeURI(pages.pathOf(id))}`
      const title = pages.get(id)?.title
      return { page: id, url, ...(anchor !== undefined && { anchor }), ...(title !== undefined && { title }) }
    }
    case 'file': {
      const file = files.get(text('file') ?? '')
      return file ? { file: { id: file.id, name: file.name, contentType: file.contentType, size: file.size } } : {}
    }
    case 'space':
      return { url: `${publicUrl}/s/${text('space') ?? spaceId}` }
    case 'openapi':
      return { title: text('spec') ?? '' }
    case 'url':
      return { url: text('url') ?? '' }
    default:
      return {}
  }
}
