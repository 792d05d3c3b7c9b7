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
import { documentReaders, pageReaders, treeReaders } from './branch-readers.ts'
import type { BaseContext, Context } from '../shared/context.ts'

/** The input that every operation on a revision shares. */
interface BranchInput {
  params: { spaceId: string; revisionId?: string; changeRequestId?: string }
  query?: object | undefined
}

/** Handlers that open a branch and answer from what their caller sees of it. */
const readerOf =
  (branch: ResolveRevision) =>
  <Input extends BranchInput, Output>(
    answer: (opened: ResolvedRevision, input: Input, context: Context) => Promise<Output>,
  ) =>
    fromView(
      ({ params, query }: Input, context: Context) => branch({ metadata: 'false', ...query, ...params }, context),
      answer,
    )

const main = readerOf(mainContent)
const past = readerOf(pastRevision)
const proposed = readerOf(changeRequestContent)

export const readingFeature = feature<BaseContext>()(content, {
  getCurrentRevision: main((opened, _input, context) => treeReaders.revision(opened, context)),
  listPages: main((opened, _input, context) => treeReaders.pages(opened, context)),
  listFiles: main((opened, { query }, context) => treeReaders.files(opened, query, context)),
  getFileById: main((opened, { params }) => treeReaders.file(opened, params)),
  getPageById: main((opened, input, context) => pageReaders.page(opened, input, context)),
  getPageByPath: main((opened, input, context) => pageReaders.pageAtPath(opened, input, context)),
  getReusableContentById: main((opened, { params }) => treeReaders.reusable(opened, params)),
  getDocumentById: fromView(
    ({ params }: Input<typeof content.getDocumentById>, context: Context) =>
      contentWithDocument(params.documentId)({ metadata: 'false', ...params }, context),
    (opened, { params }, context) => documentReaders.byId(opened, params, context),
  ),
  getRevisionById: past((opened, _input, context) => treeReaders.revision(opened, context)),
  listPagesInRevisionById: past((opened, _input, context) => treeReaders.pages(opened, context)),
  listFilesInRevisionById: past((opened, { query }, context) => treeReaders.files(opened, query, context)),
  getFileInRevisionById: past((opened, { params }) => treeReaders.file(opened, params)),
  getPageInRevisionById: past((opened, input, context) => pageReaders.page(opened, input, context)),
  getPageInRevisionByPath: past((opened, input, context) => pageReaders.pageAtPath(opened, input, context)),
  getPageDocumentInRevisionById: past((opened, input, context) => documentReaders.page(opened, input, context)),
  getReusableContentInRevisionById: past((opened, { params }) => treeReaders.reusable(opened, params)),
  getReusableContentDocumentInRevisionById: past((opened, input, context) =>
    documentReaders.reusable(opened, input, context),
  ),
})

export const changeRequestReadingFeature = feature<BaseContext>()(rows, {
  getRevisionOfChangeRequestById: proposed((opened, _input, context) => treeReaders.revision(opened, context)),
  listPagesInChangeRequest: proposed((opened, _input, context) => treeReaders.pages(opened, context)),
  listFilesInChangeRequestById: proposed((opened, { query }, context) => treeReaders.files(opened, query, context)),
  getFileInChangeRequestById: proposed((opened, { params }) => treeReaders.file(opened, params)),
  getPageInChangeRequestById: proposed((opened, input, context) => pageReaders.page(opened, input, context)),
  getPageInChangeRequestByPath: proposed((opened, input, context) => pageReaders.pageAtPath(opened, input, context)),
  getReusableContentInChangeRequestById: proposed((opened, { params }) => treeReaders.reusable(opened, params)),
})
