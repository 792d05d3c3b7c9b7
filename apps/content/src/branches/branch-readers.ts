import { pageInMemory } from '@recto/database'
import { Failure } from '@recto/operation'
import type { PageIndex } from '../pages/page-tree.ts'
import {
  type PageText,
  presentDocument,
  presentFile,
  presentPage,
  presentReusable,
  presentTree,
} from '../pages/present-page.ts'
import { fileKey, loadFileIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { Context } from '../shared/context.ts'
import type { PageRecord, ReusableRecord } from '../store/revisions/records.ts'
import type { RevisionRow } from '../store/revisions/revision.entity.ts'
import { presentedTree } from './branch-content.ts'
import type { Branch, OpenBranch } from './branch.ts'
import { presentRevision } from './present-revision.ts'
import { visiblePages } from './visible-pages.ts'
import { visitorMarkdown } from './visitor-text.ts'
import { readDocument, readText, textOfPage, textOfReusable, type TextRequest, type WrittenText } from './read-text.ts'

interface Params {
  spaceId: string
  revisionId?: string
  changeRequestId?: string
}

interface Query {
  metadata: 'true' | 'false'
  computed: 'true' | 'false'
}

type Evaluated = Pick<TextRequest, 'evaluated'>

/** The reads of a branch, as handlers: they are the same for main content, a past revision and a change request. */
export function branchReaders(branch: Branch) {
  return { ...treeReaders(branch), ...fileReaders(branch), ...pageReaders(branch), ...documentReaders(branch) }
}

function treeReaders(branch: Branch) {
  return {
    async revision(params: Params, query: Query, context: Context) {
      const opened = await branch({ ...params, ...query }, context)
      const { presentation } = await presentedTree(context, opened)
      return presentRevision({ ...opened, presentation }, context)
    },

    async pages(params: Params, query: Query, context: Context) {
      const { index, presentation } = await presentedTree(context, await branch({ ...params, ...query }, context))
      return { pages: await presentTree(index, presentation) }
    },
  }
}

function fileReaders(branch: Branch) {
  return {
    async files(params: Params, query: Query & { page?: string | undefined; limit: number }, context: Context) {
      const { revision, presentation } = await branch({ ...params, ...query }, context)
      const { inOrder } = await loadFileIndex(context.db, revision.filesRoot)
      const page = pageInMemory(inOrder, fileKey, { ...query, cursorKey: context.cursorKey() })
      return { ...page, items: page.items.map(file => presentFile(file, presentation)) }
    },

    async file(params: Params & { fileId: string }, query: Query, context: Context) {
      const { revision, presentation } = await branch({ ...params, ...query }, context)
      const file = (await loadFileIndex(context.db, revision.filesRoot)).get(params.fileId)
      if (!file) throw new Failure('not_found', 'There is no such file')
      return presentFile(file, presentation)
    },

    async reusable(params: Params & { reusableContentId: string }, query: Query, context: Context) {
      const { revision, presentation } = await branch({ ...params, ...query }, context)
      return presentReusable(await findReusable(revision, params, context), presentation)
    },
  }
}

function pageReaders(branch: Branch) {
  return {
    async page(params: Params & { pageId: string }, query: Query & TextRequest, context: Context) {
      const opened = await branch({ ...params, ...query }, context)
      const { index, presentation } = await presentedTree(context, opened)
      const record = findPage(index, params)
      if (record.type !== 'document') return presentPage(record, index, presentation)
      const text = await readPageText(record, { ...query, index, opened }, context)
      return presentDocument(record, index, { ...presentation, ...(text && { text }) })
    },

    async pageAtPath(params: Params & { pagePath: string }, query: Query & TextRequest, context: Context) {
      const opened = await branch({ ...params, ...query }, context)
      const { index, presentation } = await presentedTree(context, opened)
      const record = index.byPathOfUrl(params.pagePath.replace(/^\/+|\/+$/g, ''))
      const isGroup = record?.type === 'group'
      const page = isGroup ? presentPage(record, index, presentation) : undefined
      if (page?.type === 'group') return page
      if (record?.type !== 'document') throw new Failure('not_found', 'There is no page at this path')
      const text = await readPageText(record, { ...query, index, opened }, context)
      return presentDocument(record, index, { ...presentation, ...(text && { text }) })
    },
  }
}

/**
 * The text of a page in the format that is asked for: authors get the Markdown of its file, visitors what they can read of it, and none where
 * agents are excluded, for whom it is.
 */
async function readPageText(
  record: PageRecord,
  { index, opened, ...request }: TextRequest & { index: PageIndex; opened: OpenBranch },
  context: Context,
): Promise<PageText | undefined> {
  const { visitor } = context.actor
  if (visitor?.excludesAgents && request.format !== 'document') return refuseMarkdown(request)
  if (!visitor || request.format === 'document')
    return readText(textOfPage(record, index), { ...request, revision: opened.revision }, context)
  return { markdown: await visitorMarkdown({ record, index, visitor, ...opened }, context) }
}

/** Throws `not_found` when it is Markdown that is asked for, which is the format of who names none. */
function refuseMarkdown({ format }: TextRequest): undefined {
  if (format === undefined) return undefined
  throw new Failure('not_found', 'The site excludes AI agents: its pages have no Markdown')
}

function documentReaders(branch: Branch) {
  return {
    async pageDocument(params: Params & { pageId: string }, query: Evaluated, context: Context) {
      const opened = await branch({ ...params, metadata: 'false' }, context)
      const index = await visiblePages(context, opened.revision)
      const page = findPage(index, params)
      if (page.type !== 'document') throw new Failure('not_found', `A page of type ${page.type} has no document`)
      return readDocument(textOfPage(page, index), { ...query, revision: opened.revision }, context)
    },

    async reusableDocument(params: Params & { reusableContentId: string }, query: Evaluated, context: Context) {
      const opened = await branch({ ...params, metadata: 'false' }, context)
      const reusable = await findReusable(opened.revision, params, context)
      return readDocument(textOfReusable(reusable), { ...query, revision: opened.revision }, context)
    },

    /** A hash gives access to nothing: only what the revision holds is read. */
    async document(params: Params & { documentId: string }, context: Context) {
      const opened = await branch({ ...params, metadata: 'false' }, context)
      const text = await findText(opened.revision, params.documentId, context)
      if (!text) throw new Failure('not_found', 'There is no such document in the content of the space')
      return readDocument(text, { evaluated: 'false', revision: opened.revision }, context)
    },
  }
}

function findPage(index: PageIndex, { pageId }: { pageId: string }): PageRecord {
  const record = index.get(pageId)
  if (!record) throw new Failure('not_found', 'There is no such page')
  return record
}

async function findReusable(
  { reusableRoot }: RevisionRow,
  { reusableContentId: id }: { reusableContentId: string },
  { db }: Context,
): Promise<ReusableRecord> {
  const found = (await loadReusableContents(db, reusableRoot)).find(reusable => reusable.id === id)
  if (!found) throw new Failure('not_found', 'There is no such reusable content')
  return found
}

/** The text of the first page, or reusable content, that has a document. */
async function findText(revision: RevisionRow, document: string, context: Context): Promise<WrittenText | undefined> {
  const { db } = context
  const index = await visiblePages(context, revision)
  const page = index.inOrder().find(record => record.type === 'document' && record.document === document)
  if (page) return textOfPage(page, index)
  const reusable = await loadReusableContents(db, revision.reusableRoot)
  const found = reusable.find(record => record.document === document)
  return found && textOfReusable(found)
}
