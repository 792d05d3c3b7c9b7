import { operations } from '@recto/operation'
import { z } from 'zod'
import {
  File,
  flag,
  list,
  page,
  Page,
  PageDocument,
  PageGroup,
  ReusableContent,
  Revision,
  forVisitors,
  ofRevision,
} from '@recto/contracts-shared'
import { JSONDocument } from '@recto/markdown/schema'

/** Query of every read of content. */
export const reading = z.object({
  metadata: flag(true).describe('`false` leaves out git metadata'),
  computed: flag(true).describe('`false` leaves computed pages as they are declared'),
})
const evaluating = z.object({
  evaluated: z
    .enum(['true', 'false', 'deterministic-only'])
    .default('false')
    .describe(
      'Shows the values of expressions and what conditions let through, for a visitor without claims; `deterministic-only` leaves what depends on the visitor',
    ),
})
/** Query of every read of a page with its text. */
export const pageReading = reading.extend({
  format: z
    .enum(['document', 'markdown'])
    .optional()
    .describe('Format of the content; Markdown unless given, which visitors of a site that excludes agents do not get'),
  ...evaluating.shape,
})
/** A page that has a path. */
export const PageAtPath = z.discriminatedUnion('type', [PageDocument, PageGroup])
/** How pages are found by path. */
export const byPath = 'Case matters only where two paths differ in nothing else.'
/** The pages of a revision. */
export const Pages = z
  .object({ pages: z.array(Page) })
  .meta({ id: 'Pages', description: 'The pages of a revision, as a tree' })
const errors = ['not_found'] as const

/** Reads of the content of a space and of its revisions. */
export const content = operations({
  getCurrentRevision: {
    route: 'GET /spaces/{spaceId}/content',
    summary: 'Get the current revision of a space',
    query: reading,
    reply: Revision,
    errors,
  },
  listPages: {
    route: 'GET /spaces/{spaceId}/content/pages',
    summary: 'List the pages of a space',
    query: reading,
    reply: Pages,
    errors,
  },
  listFiles: {
    route: 'GET /spaces/{spaceId}/content/files',
    summary: 'List the files of a space',
    query: page.extend(reading.shape),
    reply: list(File),
    errors,
  },
  getFileById: {
    route: 'GET /spaces/{spaceId}/content/files/{fileId}',
    summary: 'Get a file of a space',
    query: reading,
    reply: File,
    errors,
  },
  getPageById: {
    route: 'GET /spaces/{spaceId}/content/page/{pageId}',
    summary: 'Get a page of a space',
    query: pageReading,
    reply: Page,
    errors,
  },
  getPageByPath: {
    route: 'GET /spaces/{spaceId}/content/path/{pagePath}',
    request: { wildcard: true },
    description: byPath,
    summary: 'Get a page of a space by its path',
    query: pageReading,
    reply: PageAtPath,
    errors,
  },
  getReusableContentById: {
    route: 'GET /spaces/{spaceId}/content/reusable-contents/{reusableContentId}',
    summary: 'Get a reusable content of a space',
    query: reading,
    reply: ReusableContent,
    errors,
  },
  getDocumentById: {
    ...forVisitors,
    route: 'GET /spaces/{spaceId}/documents/{documentId}',
    summary: 'Get a document that a page or a reusable content of a space has, or had in a revision',
    description: 'Visitors read those of the content that they see now.',
    query: z.object({ schema: z.enum(['current', 'next']).optional().describe('Has no effect') }),
    reply: JSONDocument,
    errors,
  },
  getRevisionById: {
    ...forVisitors,
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}',
    summary: 'Get a revision',
    query: reading,
    reply: Revision,
    errors,
    ...ofRevision,
  },
  listPagesInRevisionById: {
    ...forVisitors,
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/pages',
    summary: 'List the pages of a revision',
    query: reading,
    reply: Pages,
    errors,
    ...ofRevision,
  },
  listFilesInRevisionById: {
    ...forVisitors,
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/files',
    summary: 'List the files of a revision',
    query: page.extend(reading.shape),
    reply: list(File),
    errors,
    ...ofRevision,
  },
  getFileInRevisionById: {
    ...forVisitors,
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/files/{fileId}',
    summary: 'Get a file of a revision',
    query: reading,
    reply: File,
    errors,
    ...ofRevision,
  },
  getPageInRevisionById: {
    ...forVisitors,
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}',
    summary: 'Get a page of a revision',
    query: pageReading,
    reply: Page,
    errors,
    ...ofRevision,
  },
  getPageInRevisionByPath: {
    ...forVisitors,
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/path/{pagePath}',
    request: { wildcard: true },
    description: byPath,
    summary: 'Get a page of a revision by its path',
    query: pageReading,
    reply: PageAtPath,
    errors,
    ...ofRevision,
  },
  getPageDocumentInRevisionById: {
    ...forVisitors,
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/document',
    summary: 'Get the document of a page of a revision',
    query: evaluating,
    reply: JSONDocument,
    errors,
    ...ofRevision,
  },
  getReusableContentInRevisionById: {
    ...forVisitors,
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}',
    summary: 'Get a reusable content of a revision',
    query: reading,
    reply: ReusableContent,
    errors,
    ...ofRevision,
  },
  getReusableContentDocumentInRevisionById: {
    ...forVisitors,
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}/document',
    summary: 'Get the document of a reusable content of a revision',
    query: evaluating,
    reply: JSONDocument,
    errors,
    ...ofRevision,
  },
})
