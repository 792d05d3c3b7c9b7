import { pageInMemory } from '@recto/database'
import { Failure } from '@recto/operation'
import { presentDocument, presentFile, presentPage, presentTree } from '../pages/present-page.ts'
import { fileKey, loadFileIndex, loadPageIndex } from '../pages/revision-index.ts'
import type { Context } from '../shared/context.ts'
import { documentBytes } from '../store/content/content.repository.ts'
import type { Branch } from './branch.ts'
import { presentRevision } from './present-revision.ts'

interface Params {
  spaceId: string
  revisionId?: string
}

interface Query {
  metadata: 'true' | 'false'
}

/** The reads of a branch, as handlers: they are the same for main content and for a past revision. */
export function branchReaders(branch: Branch) {
  return {
    async revision(params: Params, query: Query, context: Context) {
      const { revision, presentation } = await branch({ ...params, ...query }, context)
      return presentRevision(revision, presentation, context)
    },

    async pages(params: Params, query: Query, context: Context) {
      const { revision, presentation } = await branch({ ...params, ...query }, context)
      return { pages: presentTree(await loadPageIndex(context.db, revision), presentation) }
    },

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

    async page(params: Params & { pageId: string }, query: Query, context: Context) {
      const { revision, presentation } = await branch({ ...params, ...query }, context)
      const index = await loadPageIndex(context.db, revision)
      const record = index.get(params.pageId)
      if (!record) throw new Failure('not_found', 'There is no such page')
      if (record.type !== 'document') return presentPage(record, index, presentation)
      const bytes = record.document === undefined ? undefined : await documentBytes(context.db, record.document)
      return presentDocument(record, index, { ...presentation, markdown: bytes?.toString() ?? '' })
    },
  }
}
