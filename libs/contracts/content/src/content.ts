import { z } from 'zod'
import {
  File,
  flag,
  list,
  page,
  Page,
  PageDocument,
  PageGroup,
  PageMetaLinks,
  ReusableContent,
  Revision,
  ofRevision,
  endpoints,
  onResource,
  readersAndVisitors,
} from '@recto/contracts-shared'
import { JSONDocument } from '@recto/markdown/schema'

/** Query of every read of content. */
export const reading = z.object({
  metadata: flag(true).describe('`false` leaves out git metadata'),
  computed: flag(true).describe('`false` leaves computed pages as they are declared'),
})
/** Characters of the address of a space. */
const maxBaseLength = 2_000
const evaluating = z.object({
  evaluated: z
    .enum(['true', 'false', 'deterministic-only'])
    .default('false')
    .describe(
      'Shows the values of expressions and what conditions let through, for a visitor without claims; `deterministic-only` leaves what depends on the visitor',
    ),
})
const dereferencing = z.object({
  dereferenced: z
    .enum(['true', 'false', 'reusable-contents'])
    .default('false')
    .describe('Shows reusable contents in the place where they are included; pages and files stay references'),
})
/** Query of every read of a document. */
export const documentReading = evaluating.extend(dereferencing.shape)
/** Query of every read of a page with its text. */
export const pageReading = reading.extend({
  format: z
    .enum(['document', 'markdown'])
    .optional()
    .describe('Format of the content; Markdown unless given, which visitors of a site that excludes agents do not get'),
  'format.markdown.refs': z
    .enum(['relative', 'stable'])
    .default('relative')
    .describe(
      'How Markdown names what it refers to: as seen from the file of the page, or by ids that stay; visitors get addresses that they can open',
    ),
  'format.markdown.base': z
    .url({ protocol: /^https?$/ })
    .max(maxBaseLength)
    .regex(/\/$/, 'must have a slash at its end')
    .optional()
    .describe(
      'The address of the space for a visitor: links to its pages are absolute and lead to their Markdown below it, at the path of the page with `.md`. Without it they are relative, and lead to pages',
    ),
  ...documentReading.shape,
})
/** Query of every read of a page by its path. */
export const pathReading = pageReading.extend({
  cachedMetadata: flag(false).describe('Git metadata is part of the revision, so that both values answer the same'),
})
/** A page that has a path. */
export const PageAtPath = z.discriminatedUnion('type', [PageDocument, PageGroup])
/** How pages are found by path. */
export const byPath = 'Case matters only where two paths differ in nothing else.'
/** Meta links, where they are asked for by themselves. */
export const metaLinksOf =
  'The page that it repeats, and the same page in other languages and versions; none for a page without them.'
/** Descriptions of reads that main content, past revisions and change requests have alike. */
export const reads = {
  revision: 'Everything in one reply: the tree of pages without their texts, files, reusable contents and variables.',
  pages: 'The whole tree in one reply, without the texts of pages.',
  files: 'By name. The `downloadURL` of each is signed: it works without a token, for a day.',
  file: 'Its `downloadURL` is signed: it works without a token, for a day.',
  page: 'A document comes with its text, as Markdown unless `format` says otherwise, and with the pages below it, without theirs. Pages of other types have no text.',
  reusableContent: 'Its text is the document that `document` names: `getDocumentById` has it.',
} as const
const ofPast = 'A revision never changes; visitors read those that their site shows, or has shown since they came.'
/** The pages of a revision. */
export const Pages = z
  .object({ pages: z.array(Page) })
  .meta({ id: 'Pages', description: 'The pages of a revision, as a tree' })
const errors = ['not_found'] as const

/** Reads of the content of a space and of its revisions. */
export const content = endpoints({
  getCurrentRevision: {
    route: 'GET /spaces/{spaceId}/content',
    summary: 'Get the current revision of a space',
    description: `${reads.revision} Its \`ETag\` is what \`If-Match\` of a change of the content takes.`,
    query: reading,
    reply: Revision,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  listPages: {
    route: 'GET /spaces/{spaceId}/content/pages',
    summary: 'List the pages of a space',
    description: reads.pages,
    query: reading,
    reply: Pages,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  listFiles: {
    route: 'GET /spaces/{spaceId}/content/files',
    summary: 'List the files of a space',
    description: reads.files,
    query: page.extend(reading.shape),
    reply: list(File),
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  getFileById: {
    route: 'GET /spaces/{spaceId}/content/files/{fileId}',
    summary: 'Get a file of a space',
    description: reads.file,
    query: reading,
    reply: File,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  getPageById: {
    route: 'GET /spaces/{spaceId}/content/page/{pageId}',
    summary: 'Get a page of a space',
    description: reads.page,
    query: pageReading,
    reply: Page,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  getPageByPath: {
    route: 'GET /spaces/{spaceId}/content/path/{pagePath}',
    request: { wildcard: true },
    description: byPath,
    summary: 'Get a page of a space by its path',
    query: pathReading,
    reply: PageAtPath,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  listSpacePageMetaLinks: {
    route: 'GET /spaces/{spaceId}/content/page/{pageId}/meta-links',
    summary: 'Get the meta links of a page of a space',
    description: metaLinksOf,
    reply: PageMetaLinks,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  getReusableContentById: {
    route: 'GET /spaces/{spaceId}/content/reusable-contents/{reusableContentId}',
    summary: 'Get a reusable content of a space',
    description: reads.reusableContent,
    query: reading,
    reply: ReusableContent,
    errors,
    scope: 'space:read',
    access: onResource('read'),
  },
  getDocumentById: {
    route: 'GET /spaces/{spaceId}/documents/{documentId}',
    summary: 'Get a document that a page or a reusable content of a space has, or had in a revision',
    description: 'Visitors read those of the content that they see now.',
    query: z.object({ schema: z.enum(['current', 'next']).optional().describe('Has no effect') }),
    reply: JSONDocument,
    errors,
    scope: 'space:read',
    access: readersAndVisitors,
  },
  getRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}',
    summary: 'Get a revision',
    description: `${reads.revision} ${ofPast}`,
    query: reading,
    reply: Revision,
    errors,
    ...ofRevision,
    scope: 'space:read',
    access: readersAndVisitors,
  },
  listPagesInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/pages',
    summary: 'List the pages of a revision',
    description: `${reads.pages} ${ofPast}`,
    query: reading,
    reply: Pages,
    errors,
    ...ofRevision,
    scope: 'space:read',
    access: readersAndVisitors,
  },
  listFilesInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/files',
    summary: 'List the files of a revision',
    description: `${reads.files} ${ofPast}`,
    query: page.extend(reading.shape),
    reply: list(File),
    errors,
    ...ofRevision,
    scope: 'space:read',
    access: readersAndVisitors,
  },
  getFileInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/files/{fileId}',
    summary: 'Get a file of a revision',
    description: `${reads.file} ${ofPast}`,
    query: reading,
    reply: File,
    errors,
    ...ofRevision,
    scope: 'space:read',
    access: readersAndVisitors,
  },
  getPageInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}',
    summary: 'Get a page of a revision',
    description: `${reads.page} ${ofPast}`,
    query: pageReading,
    reply: Page,
    errors,
    ...ofRevision,
    scope: 'space:read',
    access: readersAndVisitors,
  },
  getPageInRevisionByPath: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/path/{pagePath}',
    request: { wildcard: true },
    description: byPath,
    summary: 'Get a page of a revision by its path',
    query: pathReading,
    reply: PageAtPath,
    errors,
    ...ofRevision,
    scope: 'space:read',
    access: readersAndVisitors,
  },
  listRevisionPageMetaLinks: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/meta-links',
    summary: 'Get the meta links of a page of a revision',
    description: metaLinksOf,
    reply: PageMetaLinks,
    errors,
    cache: { immutable: true },
    scope: 'space:read',
    access: onResource('read'),
  },
  getPageDocumentInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/document',
    summary: 'Get the document of a page of a revision',
    description: `Only pages of the type \`document\` have one (404). ${ofPast}`,
    query: documentReading,
    reply: JSONDocument,
    errors,
    ...ofRevision,
    scope: 'space:read',
    access: readersAndVisitors,
  },
  getReusableContentInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}',
    summary: 'Get a reusable content of a revision',
    description: `${reads.reusableContent} ${ofPast}`,
    query: reading,
    reply: ReusableContent,
    errors,
    ...ofRevision,
    scope: 'space:read',
    access: readersAndVisitors,
  },
  getReusableContentDocumentInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}/document',
    summary: 'Get the document of a reusable content of a revision',
    description: `The document form of its Markdown. ${ofPast}`,
    query: documentReading,
    reply: JSONDocument,
    errors,
    ...ofRevision,
    scope: 'space:read',
    access: readersAndVisitors,
  },
})
