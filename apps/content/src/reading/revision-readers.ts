import { pageInMemory } from '@recto/database'
import { Failure } from '@recto/operation'
import { presentMetaLinks } from '../pages/meta-links.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import {
  type PageText,
  presentDocument,
  presentFile,
  presentPage,
  presentReusable,
  presentTree,
} from '../pages/present-page.ts'
import { fileKey } from '../pages/revision-index.ts'
import type { Context } from '../shared/context.ts'
import type { PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { ContentView } from '../audience/content-view.ts'
import { presentedTree } from './revision-lookup.ts'
import type { ResolvedRevision } from './resolve-revision.ts'
import { presentRevision } from './present-revision.ts'
import { visitorMarkdown } from './visitor-text.ts'
import { readDereferenced } from './dereferenced.ts'
import { readText } from './member-text.ts'
import { textOfPage, textOfReusable, type TextRequest, type WrittenText } from './read-text.ts'

type Evaluated = Pick<TextRequest, 'evaluated' | 'dereferenced'>

/** The page tree, files and reusable contents of a resolved revision. */
export const treeReaders = {
  async revision(source: ResolvedRevision, context: Context) {
    const { presentation } = await presentedTree(context, source)
    return presentRevision({ ...source, presentation }, context)
  },

  async pages(source: ResolvedRevision, context: Context) {
    const { index, presentation } = await presentedTree(context, source)
    return { pages: await presentTree(index, presentation) }
  },

  async files(
    { view, presentation }: ResolvedRevision,
    query: { page?: string | undefined; limit: number },
    context: Context,
  ) {
    const { inOrder } = await view.files()
    const page = pageInMemory(inOrder, fileKey, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(file => presentFile(file, presentation)) }
  },

  async file({ view, presentation }: ResolvedRevision, { fileId }: { fileId: string }) {
    const file = (await view.files()).get(fileId)
    if (!file) throw new Failure('not_found', 'There is no such file')
    return presentFile(file, presentation)
  },

  async reusable({ view, presentation }: ResolvedRevision, params: { reusableContentId: string }) {
    return presentReusable(await findReusable(view, params), presentation)
  },
}

interface PageRead {
  params: { pageId: string }
  query: TextRequest
}

interface PathRead {
  params: { pagePath: string }
  query: TextRequest
}

/** The pages of a resolved revision, with their texts. */
export const pageReaders = {
  async page(source: ResolvedRevision, { params, query }: PageRead, context: Context) {
    const { index, presentation } = await presentedTree(context, source)
    const record = findPage(index, params)
    if (record.type !== 'document') return presentPage(record, index, presentation)
    const text = await readPageText(record, { ...query, index, source }, context)
    return presentDocument(record, index, { ...presentation, ...(text && { text }) })
  },

  async pageAtPath(source: ResolvedRevision, { params, query }: PathRead, context: Context) {
    const { index, presentation } = await presentedTree(context, source)
    const record = index.byPathOfUrl(params.pagePath.replace(/^\/+|\/+$/g, ''))
    const isGroup = record?.type === 'group'
    const page = isGroup ? presentPage(record, index, presentation) : undefined
    if (page?.type === 'group') return page
    if (record?.type !== 'document') throw new Failure('not_found', 'There is no page at this path')
    const text = await readPageText(record, { ...query, index, source }, context)
    return presentDocument(record, index, { ...presentation, ...(text && { text }) })
  },

  async metaLinks(source: ResolvedRevision, { params }: Pick<PageRead, 'params'>, context: Context) {
    const { index, presentation } = await presentedTree(context, source)
    return presentMetaLinks(findPage(index, params), index, presentation).metaLinks ?? {}
  },
}

/**
 * The text of a page in the requested format. Authors get the Markdown of its file; visitors get the parts that they can read, and no
 * Markdown where agents are excluded, since it is meant for agents.
 */
async function readPageText(
  record: PageRecord,
  { index, source, ...request }: TextRequest & { index: PageIndex; source: ResolvedRevision },
  context: Context,
): Promise<PageText | undefined> {
  const { visitor } = context.actor
  if (visitor?.excludesAgents && request.format !== 'document') return refuseMarkdown(request)
  if (!visitor || request.format === 'document')
    return readText(textOfPage(await source.view.textOf(record), index), { ...request, ...source }, context)
  const markdownBase = request['format.markdown.base']
  return { markdown: await visitorMarkdown({ record, index, visitor, markdownBase, ...source }, context) }
}

/** Throws `not_found` when Markdown is requested by name; it is also the default format. */
function refuseMarkdown({ format }: TextRequest): undefined {
  if (format === undefined) return undefined
  throw new Failure('not_found', 'The site excludes AI agents: its pages have no Markdown')
}

/** The texts of a resolved revision as documents. */
export const documentReaders = {
  async page(
    source: ResolvedRevision,
    { params, query }: { params: { pageId: string }; query: Evaluated },
    context: Context,
  ) {
    const index = await source.view.pages()
    const page = findPage(index, params)
    if (page.type !== 'document') throw new Failure('not_found', `A page of type ${page.type} has no document`)
    return readDereferenced(textOfPage(await source.view.textOf(page), index), { ...query, ...source }, context)
  },

  async reusable(
    source: ResolvedRevision,
    { params, query }: { params: { reusableContentId: string }; query: Evaluated },
    context: Context,
  ) {
    const reusable = await findReusable(source.view, params)
    return readDereferenced(textOfReusable(await source.view.textOf(reusable)), { ...query, ...source }, context)
  },

  /** A hash gives access to nothing: only what the revision holds is read. */
  async byId(source: ResolvedRevision, { documentId }: { documentId: string }, context: Context) {
    const text = await findText(source.view, documentId)
    if (!text) throw new Failure('not_found', 'There is no such document in the content of the space')
    return readDereferenced(text, { evaluated: 'false', ...source }, context)
  },
}

function findPage(index: PageIndex, { pageId }: { pageId: string }): PageRecord {
  const record = index.get(pageId)
  if (!record) throw new Failure('not_found', 'There is no such page')
  return record
}

async function findReusable(
  view: ContentView,
  { reusableContentId: id }: { reusableContentId: string },
): Promise<ReusableRecord> {
  const reusable = (await view.reusableContents()).find(record => record.id === id)
  if (!reusable) throw new Failure('not_found', 'There is no such reusable content')
  return reusable
}

/** The text of the first page, or reusable content, that has a document. */
async function findText(view: ContentView, document: string): Promise<WrittenText | undefined> {
  const index = await view.pages()
  const page = index.inOrder().find(record => record.type === 'document' && record.document === document)
  if (page) return textOfPage(page, index)
  const record = (await view.reusableContents()).find(record => record.document === document)
  return record && textOfReusable(record)
}
