import { z } from 'zod'
import { endpoints, Id, list, page, readersAndVisitors } from '@recto/contracts-shared'
import { DocumentDifference } from '@recto/markdown/schema'
import { documentReading } from './content.ts'
import { change, ChangedFile, ChangedPage, PageAttributes } from './history.ts'

const side = z
  .object({ space: Id, revision: Id })
  .meta({ id: 'ComparedRevision', description: 'A revision that is compared, and the space that it is of' })

const compared = {
  before: side.optional().describe('What is compared with; left out for a first revision, of which everything is new'),
  after: side.describe('What is compared'),
}

const Counts = z
  .object({
    insertions: z.number().int().describe('Words'),
    deletions: z.number().int().describe('Words'),
  })
  .meta({
    id: 'DifferenceCounts',
    description:
      'How much was inserted and deleted: words, or one for what has none; what moves within a page is neither',
  })

const pageDifference = {
  object: z.literal('page-difference'),
  status: z.enum(['created', 'edited', 'deleted']).describe('`edited` for all that both revisions have'),
  page: ChangedPage.describe('As it is; as it was, when it is deleted'),
  from: ChangedPage.optional().describe('As it was, when both revisions have it'),
  moved: z
    .object({ parent: change(ChangedPage).describe('A side without page is the root') })
    .optional()
    .describe('It has another parent, or another place among its siblings'),
  attributes: PageAttributes.describe('Other settings of the page; visitors learn nothing of conditions'),
  counts: Counts,
}

const PageDifferenceSummary = z
  .object(pageDifference)
  .meta({ id: 'PageDifferenceSummary', description: 'What differs in a page, without its text' })

const PageDifference = z
  .object({
    ...pageDifference,
    ...compared,
    difference: DocumentDifference.describe('From the first text to the second one; a missing text is an empty one'),
  })
  .meta({ id: 'PageDifference', description: 'What differs in a page, with its text' })

const FileDifference = z
  .object({ before: ChangedFile.optional(), after: ChangedFile.optional() })
  .meta({ id: 'FileDifference', description: 'A file before and after; left out where there is none' })

/** Files of one list of differences. */
export const maxListedFiles = 200

const Differences = list(PageDifferenceSummary).extend({
  ...compared,
  files: z.array(FileDifference).max(maxListedFiles).describe('By name; the first ones of many'),
})

const since = z.object({
  since: Id.optional().describe('The revision that is compared with; the first parent unless given'),
  sinceSpace: Id.optional().describe('The space that this revision is of; the same one unless given'),
})

const ofPages =
  'Pages that differ as the caller sees them: their text, in a reusable content that they include too, their settings or their place. They come in the order of the tree, deleted ones last.'
const ofPage =
  'The text comes block by block, row by row and word by word. A page that is the same has no steps; 404 for one that neither revision has.'
const againstBase = 'Compared is with the main content that the change request was updated from last.'
const ofVisitors =
  'Visitors of a site read differences of what they may read on both sides; nothing else is there for them (404).'
const errors = ['not_found'] as const
const access = { ...readersAndVisitors, visitors: 'named' } as const

/** Differences of pages between two revisions, as readers see them. */
export const differences = endpoints({
  listChangeRequestDifferences: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes/pages',
    summary: 'List the pages that a change request changes, with how much',
    description: `${ofPages} ${againstBase} ${ofVisitors}`,
    query: page,
    reply: Differences,
    errors,
    scope: 'space:read',
    access,
  },
  getChangeRequestPageDifference: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes/page/{pageId}',
    summary: 'Get what a change request changes in a page',
    description: `${ofPage} ${againstBase} ${ofVisitors}`,
    query: documentReading,
    reply: PageDifference,
    errors,
    scope: 'space:read',
    access,
  },
  listRevisionDifferences: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/changes/pages',
    summary: 'List the pages that differ between two revisions, with how much',
    description: `${ofPages} ${ofVisitors}`,
    query: page.extend(since.shape),
    reply: Differences,
    errors,
    scope: 'space:read',
    access: readersAndVisitors,
    // The first one is of one revision: visitors read no older one, such as its parent.
    examples: [{ query: { since: '{revisionId}', sinceSpace: '{spaceId}' } }, {}],
  },
  getRevisionPageDifference: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/changes/page/{pageId}',
    summary: 'Get what differs in a page between two revisions',
    description: `${ofPage} ${ofVisitors}`,
    query: documentReading.extend(since.shape),
    reply: PageDifference,
    errors,
    scope: 'space:read',
    access: readersAndVisitors,
    // The first one is of one revision: visitors read no older one, such as its parent.
    examples: [{ query: { since: '{revisionId}', sinceSpace: '{spaceId}' } }, {}],
  },
})
