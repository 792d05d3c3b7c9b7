import { operations } from '@recto/operation'
import { File, list, page, Page, ReusableContent, Revision } from '@recto/contracts-shared'
import { byPath, PageAtPath, pageReading, Pages, reading } from './content.ts'

const errors = ['not_found'] as const

/** Reads of the content of a change request. */
export const changeRequestContent = operations({
  getRevisionOfChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content',
    summary: 'Get the current revision of a change request',
    query: reading,
    reply: Revision,
    errors,
  },
  listPagesInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/pages',
    summary: 'List the pages of a change request',
    query: reading,
    reply: Pages,
    errors,
  },
  listFilesInChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files',
    summary: 'List the files of a change request',
    query: page.extend(reading.shape),
    reply: list(File),
    errors,
  },
  getFileInChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}',
    summary: 'Get a file of a change request',
    query: reading,
    reply: File,
    errors,
  },
  getPageInChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}',
    summary: 'Get a page of a change request',
    query: pageReading,
    reply: Page,
    errors,
  },
  getPageInChangeRequestByPath: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/path/{pagePath}',
    request: { wildcard: true },
    description: byPath,
    summary: 'Get a page of a change request by its path',
    query: pageReading,
    reply: PageAtPath,
    errors,
  },
  getReusableContentInChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId}',
    summary: 'Get a reusable content of a change request',
    query: reading,
    reply: ReusableContent,
    errors,
  },
})
