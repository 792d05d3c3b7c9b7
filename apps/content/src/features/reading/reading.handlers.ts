import { changeRequestContent as rows, content } from '@recto/contracts'
import { feature } from '@recto/operation'
import { branchReaders } from '../../branches/branch-readers.ts'
import { changeRequestContent, mainContent, pastRevision } from '../../branches/branch.ts'
import type { BaseContext } from '../../shared/context.ts'

const main = branchReaders(mainContent)
const past = branchReaders(pastRevision)
const proposed = branchReaders(changeRequestContent)

export const readingFeature = feature<BaseContext>()(content, {
  getCurrentRevision: ({ params, query }, context) => main.revision(params, query, context),
  listPages: ({ params, query }, context) => main.pages(params, query, context),
  listFiles: ({ params, query }, context) => main.files(params, query, context),
  getFileById: ({ params, query }, context) => main.file(params, query, context),
  getPageById: ({ params, query }, context) => main.page(params, query, context),
  getPageByPath: ({ params, query }, context) => main.pageAtPath(params, query, context),
  getReusableContentById: ({ params, query }, context) => main.reusable(params, query, context),
  getDocumentById: ({ params }, context) => main.document(params, context),
  getRevisionById: ({ params, query }, context) => past.revision(params, query, context),
  listPagesInRevisionById: ({ params, query }, context) => past.pages(params, query, context),
  listFilesInRevisionById: ({ params, query }, context) => past.files(params, query, context),
  getFileInRevisionById: ({ params, query }, context) => past.file(params, query, context),
  getPageInRevisionById: ({ params, query }, context) => past.page(params, query, context),
  getPageInRevisionByPath: ({ params, query }, context) => past.pageAtPath(params, query, context),
  getPageDocumentInRevisionById: ({ params, query }, context) => past.pageDocument(params, query, context),
  getReusableContentInRevisionById: ({ params, query }, context) => past.reusable(params, query, context),
  getReusableContentDocumentInRevisionById: ({ params, query }, context) =>
    past.reusableDocument(params, query, context),
})

export const changeRequestReadingFeature = feature<BaseContext>()(rows, {
  getRevisionOfChangeRequestById: ({ params, query }, context) => proposed.revision(params, query, context),
  listPagesInChangeRequest: ({ params, query }, context) => proposed.pages(params, query, context),
  listFilesInChangeRequestById: ({ params, query }, context) => proposed.files(params, query, context),
  getFileInChangeRequestById: ({ params, query }, context) => proposed.file(params, query, context),
  getPageInChangeRequestById: ({ params, query }, context) => proposed.page(params, query, context),
  getPageInChangeRequestByPath: ({ params, query }, context) => proposed.pageAtPath(params, query, context),
  getReusableContentInChangeRequestById: ({ params, query }, context) => proposed.reusable(params, query, context),
})
