import { operations } from '@recto/operation'
import { z } from 'zod'
import { flag, list, page } from '../shared/conventions.ts'
import { File, Page, Revision } from './pages.ts'

const reading = z.object({
  metadata: flag(true).describe('`false` leaves out git metadata'),
  computed: flag(true).describe('`false` leaves computed pages as they are declared'),
})
const pageReading = reading.extend({
  format: z.enum(['markdown']).optional().describe('Format of the content; Markdown unless given'),
})
const Pages = z
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
  getRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}',
    summary: 'Get a revision',
    query: reading,
    reply: Revision,
    errors,
    immutable: true,
  },
  listPagesInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/pages',
    summary: 'List the pages of a revision',
    query: reading,
    reply: Pages,
    errors,
    immutable: true,
  },
  listFilesInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/files',
    summary: 'List the files of a revision',
    query: page.extend(reading.shape),
    reply: list(File),
    errors,
    immutable: true,
  },
  getFileInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/files/{fileId}',
    summary: 'Get a file of a revision',
    query: reading,
    reply: File,
    errors,
    immutable: true,
  },
  getPageInRevisionById: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}',
    summary: 'Get a page of a revision',
    query: pageReading,
    reply: Page,
    errors,
    immutable: true,
  },
})
