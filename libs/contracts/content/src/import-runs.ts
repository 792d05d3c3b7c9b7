import { z } from 'zod'
import {
  endpoints,
  guests,
  Id,
  ImportRun,
  importRunStatuses,
  ImportRunSource,
  ImportRunTarget,
  list,
  onResource,
  page,
} from '@recto/contracts-shared'

const StartImportRun = z
  .object({
    source: ImportRunSource,
    target: ImportRunTarget,
    site: Id.optional().describe('A site that is to show the space, whose imports list the run'),
    enhance: z.boolean().default(true).describe('Has no effect: content is imported as it is'),
  })
  .meta({ id: 'StartImportRun', description: 'An import to start' })

/** A website that nothing answers at. */
const source = { type: 'website', url: 'http://repository.invalid/' }

/** Imports of an organization, and those that nobody waits for. */
export const importRuns = endpoints({
  listImportRuns: {
    route: 'GET /org/{organizationId}/imports',
    summary: 'List the imports into spaces that the caller can read, newest first',
    description:
      'Those started here, and those of single URLs, in main content and change requests alike. The pages that an import made are not in the list: get the import.',
    query: page.extend({
      space: Id.optional().describe('List only those into this space'),
      changeRequest: Id.optional().describe('List only those into this change request'),
      site: Id.optional().describe('List only those into spaces that this site shows, or that were started for it'),
      status: z
        .enum(['active', ...importRunStatuses])
        .optional()
        .describe('`active` is pending and in progress'),
    }),
    reply: list(ImportRun),
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...guests, limited: 'filtered' },
    examples: [
      {},
      {
        query: { space: '{spaceId}', changeRequest: '{changeRequestId}', site: '{siteId}' },
        ignores: ['spaceId', 'changeRequestId', 'siteId'],
      },
    ],
  },
  startImportRun: {
    route: 'POST /org/{organizationId}/imports',
    summary: 'Start an import of a website, or of uploaded files, into a space',
    description:
      'Answers at once; `getImportRun` says how far it is. Each file is a page in Markdown, HTML or Word, or a zip file of pages. Main content must not be locked, nor an upload incomplete (409).',
    body: StartImportRun,
    reply: ImportRun,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: { ...onResource('edit'), limited: 'checked' },
    records: ['import.started'],
    examples: [
      { body: { source, target: { space: '{spaceId}' } } },
      { body: { source, target: { space: '{spaceId}', page: '{pageId}' } } },
      { body: { source, target: { space: '{spaceId}', changeRequest: '{changeRequestId}' } } },
      { body: { source, target: { space: '{spaceId}' }, site: '{siteId}' } },
    ],
  },
  getImportRun: {
    route: 'GET /org/{organizationId}/imports/{importRunId}',
    summary: 'Get an import',
    description:
      'It names the pages that it made, once it has ended well. An import into a space that you cannot read is 404.',
    reply: ImportRun,
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...onResource('read'), limited: 'checked' },
  },
  cancelImportRun: {
    route: 'POST /org/{organizationId}/imports/{importRunId}/cancel',
    summary: 'Cancel an import: nothing of it is in the content',
    description: 'One that was cancelled stays so; one that has ended otherwise is refused (409).',
    reply: ImportRun,
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: { ...onResource('edit'), limited: 'checked' },
    records: ['import.finished'],
    examples: [{ answers: 409 }],
  },
})
