import { content } from '@recto/contracts'
import { readCursor, signCursor } from '@recto/database'
import { Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../../shared/context.ts'
import { seenSpace } from '../../hierarchy/spaces/readable-space.ts'
import { presentDocument, presentFile, presentPage, presentReusable, presentTree, type Reading } from '../../pages/present-page.ts'
import type { FileRecord } from '../../store/revisions/records.ts'
import type { RevisionRow } from '../../store/revisions/revision.entity.ts'
import { byName, filesOf, pagesOf, reusableOf } from '../../pages/revision-index.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'

interface At {
  spaceId: string
  revisionId?: string
}

interface ReadingQuery {
  metadata: 'true' | 'false'
}

interface Opened {
  revision: RevisionRow
  reading: Reading
}

/** Reads of one version of the content: main content, a change request or a revision differ only in how `open` finds it. */
function readers(open: (at: At, query: ReadingQuery, context: Context) => Promise<Opened>) {
  return {
    async revision(params: At, query: ReadingQuery, context: Context) {
      const { revision, reading } = await open(params, query, context)
      return presentRevision(revision, reading, context)
    },

    async pages(params: At, query: ReadingQuery, context: Context) {
      const { revision, reading } = await open(params, query, context)
      return { pages: presentTree(await pagesOf(context.db, revision.pagesRoot), reading) }
    },

    async files(params: At, query: ReadingQuery & { page?: string | undefined; limit: number }, context: Context) {
      const { revision, reading } = await open(params, query, context)
      const { inOrder } = await filesOf(context.db, revision.filesRoot)
      const page = pageOfFiles(inOrder, query, context.cursorKey())
      return { ...page, items: page.items.map(file => presentFile(file, reading)) }
    },

    async file(params: At & { fileId: string }, query: ReadingQuery, context: Context) {
      const { revision, reading } = await open(params, query, context)
      const file = (await filesOf(context.db, revision.filesRoot)).get(params.fileId)
      if (!file) throw new Failure('not_found', 'There is no such file')
      return presentFile(file, reading)
    },

    async page(params: At & { pageId: string }, query: ReadingQuery, context: Context) {
      const { revision, reading } = await open(params, query, context)
      const index = await pagesOf(context.db, revision.pagesRoot)
      const record = index.get(params.pageId)
      if (!record) throw new Failure('not_found', 'There is no such page')
      if (record.type !== 'document') return presentPage(record, index, reading)
      const bytes =
        record.document === undefined ? undefined : await revisions.documentBytes(context.db, record.document)
      return presentDocument(record, index, { ...reading, markdown: bytes?.toString() ?? '' })
    },
  }
}

const main = readers(async ({ spaceId }, query, context) => {
  const { space } = await seenSpace(context, spaceId)
  return opened(await revisions.find(context.db, space.revision), { spaceId, query, context })
})

const past = readers(async ({ spaceId, revisionId }, query, context) => {
  await seenSpace(context, spaceId)
  const revision = await revisions.find(context.db, revisionId ?? '')
  return opened(revision?.spaceId === spaceId ? revision : undefined, { spaceId, query, context })
})

export const contentFeature = feature<BaseContext>()(content, {
  getCurrentRevision: ({ params, query }, context) => main.revision(params, query, context),
  listPages: ({ params, query }, context) => main.pages(params, query, context),
  listFiles: ({ params, query }, context) => main.files(params, query, context),
  getFileById: ({ params, query }, context) => main.file(params, query, context),
  getPageById: ({ params, query }, context) => main.page(params, query, context),
  getRevisionById: ({ params, query }, context) => past.revision(params, query, context),
  listPagesInRevisionById: ({ params, query }, context) => past.pages(params, query, context),
  listFilesInRevisionById: ({ params, query }, context) => past.files(params, query, context),
  getFileInRevisionById: ({ params, query }, context) => past.file(params, query, context),
  getPageInRevisionById: ({ params, query }, context) => past.page(params, query, context),
})

function opened(
  revision: RevisionRow | undefined,
  { spaceId, query, context }: { spaceId: string; query: ReadingQuery; context: Context },
): Opened {
  if (!revision) throw new Failure('not_found', 'There is no such revision')
  const { publicUrl, signingSecret } = context
  return { revision, reading: { spaceId, publicUrl, signingSecret, metadata: query.metadata === 'true' } }
}

async function presentRevision(revision: RevisionRow, reading: Reading, { db }: Context) {
  const [pages, files, reusable] = await Promise.all([
    pagesOf(db, revision.pagesRoot),
    filesOf(db, revision.filesRoot),
    reusableOf(db, revision.reusableRoot),
  ])
  return {
    object: 'revision' as const,
    id: revision.id,
    type: revision.type,
    parents: revision.parents,
    pages: presentTree(pages, reading),
    files: files.inOrder.map(file => presentFile(file, reading)),
    reusableContents: reusable.map(record => presentReusable(record, reading)),
    variables: revision.variables,
    createdAt: revision.createdAt.toISOString(),
    ...(revision.git && reading.metadata && { git: presentCommit(revision.git) }),
    urls: { app: `${reading.publicUrl}/s/${revision.spaceId}/~/revisions/${revision.id}` },
  }
}

function presentCommit({ oid, message, ref, url, createdByService }: NonNullable<RevisionRow['git']>) {
  return { oid, message, ref, ...(url !== undefined && { url }), createdByService, createdByGitBook: createdByService }
}

/** Files by name; the cursor holds the last name and id, so a page is stable while files come and go. */
function pageOfFiles(
  files: FileRecord[],
  { page, limit }: { page?: string | undefined; limit: number },
  cursorKey: string,
) {
  const [name, id] = page === undefined ? [] : (readCursor(page, cursorKey) as [string, string])
  const start = name === undefined || id === undefined ? 0 : files.findIndex(file => byName(file, { name, id }) > 0)
  const rest = start < 0 ? [] : files.slice(start)
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  const next = last && rest.length > items.length ? { next: { page: signCursor([last.name, last.id], cursorKey) } } : {}
  return { items, count: files.length, ...next }
}
