import {
  File,
  list,
  page,
  Page,
  PageMetaLinks,
  ReusableContent,
  Revision,
  endpoints,
  onResource,
} from '@recto/contracts-shared'
import { byPath, metaLinksOf, PageAtPath, pageReading, Pages, pathReading, reading } from './content.ts'

const errors = ['not_found'] as const

/** Reads of the content of a change request. */
export const changeRequestContent = endpoints({
  getRevisionOfChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content',
    summary: 'Get the current revision of a change request',
    query: reading,
    reply: Revision,
    errors,
    access: onResource('read'),
  },
  listPagesInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/pages',
    summary: 'List the pages of a change request',
    query: reading,
    reply: Pages,
    errors,
    access: onResource('read'),
  },
  listFilesInChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files',
    summary: 'List the files of a change request',
    query: page.extend(reading.shape),
    reply: list(File),
    errors,
    access: onResource('read'),
  },
  getFileInChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}',
    summary: 'Get a file of a change request',
    query: reading,
    reply: File,
    errors,
    access: onResource('read'),
  },
  getPageInChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}',
    summary: 'Get a page of a change request',
    query: pageReading,
    reply: Page,
    errors,
    access: onResource('read'),
  },
  getPageInChangeRequestByPath: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/path/{pagePath}',
    request: { wildcard: true },
    description: byPath,
    summary: 'Get a page of a change request by its path',
    query: pathReading,
    reply: PageAtPath,
    errors,
    access: onResource('read'),
  },
  listChangeRequestPageMetaLinks: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/meta-links',
    summary: 'Get the meta links of a page of a change request',
    description: metaLinksOf,
    reply: PageMetaLinks,
    errors,
    access: onResource('read'),
  },
  getReusableContentInChangeRequestById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId}',
    summary: 'Get a reusable content of a change request',
    query: reading,
    reply: ReusableContent,
    errors,
    access: onResource('read'),
  },
})
