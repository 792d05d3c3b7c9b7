import { changeRequestContent as rows, content } from '@recto/contracts-content'
import { feature, fromView, type Input } from '@recto/operation'
import {
  type ResolveRevision,
  changeRequestContent,
  contentWithDocument,
  mainContent,
  type ResolvedRevision,
  pastRevision,
} from './resolve-revision.ts'
import { documentReaders, pageReaders, treeReaders } from './revision-readers.ts'
import type { BaseContext, Context } from '../shared/context.ts'

/** The input that every operation on a revision shares. */
interface BranchInput {
  params: { spaceId: string; revisionId?: string; changeRequestId?: string }
  query?: object | undefined
}

/** Makes handlers that open a branch and reply with the parts that their caller sees. */
const readerOf =
  (branch: ResolveRevision) =>
  <Input extends BranchInput, Output>(
    read: (source: ResolvedRevision, input: Input, context: Context) => Promise<Output>,
  ) =>
    fromView(
      ({ params, query }: Input, context: Context) => branch({ metadata: 'false', ...query, ...params }, context),
      read,
    )

const main = readerOf(mainContent)
const past = readerOf(pastRevision)
const proposed = readerOf(changeRequestContent)

export const readingFeature = feature<BaseContext>()(content, {
  getCurrentRevision: main((source, _input, context) => treeReaders.revision(source, context)),
  listPages: main((source, _input, context) => treeReaders.pages(source, context)),
  listFiles: main((source, { query }, context) => treeReaders.files(source, query, context)),
  getFileById: main((source, { params }) => treeReaders.file(source, params)),
  getPageById: main((source, input, context) => pageReaders.page(source, input, context)),
  getPageByPath: main((source, input, context) => pageReaders.pageAtPath(source, input, context)),
  listSpacePageMetaLinks: main((source, input, context) => pageReaders.metaLinks(source, input, context)),
  getReusableContentById: main((source, { params }) => treeReaders.reusable(source, params)),
  getDocumentById: fromView(
    ({ params }: Input<typeof content.getDocumentById>, context: Context) =>
      contentWithDocument(params.documentId)({ metadata: 'false', ...params }, context),
    (source, { params }, context) => documentReaders.byId(source, params, context),
  ),
  getRevisionById: past((source, _input, context) => treeReaders.revision(source, context)),
  listPagesInRevisionById: past((source, _input, context) => treeReaders.pages(source, context)),
  listFilesInRevisionById: past((source, { query }, context) => treeReaders.files(source, query, context)),
  getFileInRevisionById: past((source, { params }) => treeReaders.file(source, params)),
  getPageInRevisionById: past((source, input, context) => pageReaders.page(source, input, context)),
  getPageInRevisionByPath: past((source, input, context) => pageReaders.pageAtPath(source, input, context)),
  listRevisionPageMetaLinks: past((source, input, context) => pageReaders.metaLinks(source, input, context)),
  getPageDocumentInRevisionById: past((source, input, context) => documentReaders.page(source, input, context)),
  getReusableContentInRevisionById: past((source, { params }) => treeReaders.reusable(source, params)),
  getReusableContentDocumentInRevisionById: past((source, input, context) =>
    documentReaders.reusable(source, input, context),
  ),
})

export const changeRequestReadingFeature = feature<BaseContext>()(rows, {
  getRevisionOfChangeRequestById: proposed((source, _input, context) => treeReaders.revision(source, context)),
  listPagesInChangeRequest: proposed((source, _input, context) => treeReaders.pages(source, context)),
  listFilesInChangeRequestById: proposed((source, { query }, context) => treeReaders.files(source, query, context)),
  getFileInChangeRequestById: proposed((source, { params }) => treeReaders.file(source, params)),
  getPageInChangeRequestById: proposed((source, input, context) => pageReaders.page(source, input, context)),
  getPageInChangeRequestByPath: proposed((source, input, context) => pageReaders.pageAtPath(source, input, context)),
  listChangeRequestPageMetaLinks: proposed((source, input, context) => pageReaders.metaLinks(source, input, context)),
  getReusableContentInChangeRequestById: proposed((source, { params }) => treeReaders.reusable(source, params)),
})
