import { z } from 'zod'
import {
  ApplySpaceTemplate,
  empty,
  HttpUrl,
  Id,
  list,
  page,
  templateExamples,
  Timestamp,
  endpoints,
  onResource,
} from '@recto/contracts-shared'

const sources = [
  'website',
  'docx',
  'markdown',
  'html',
  'zip',
  'confluence',
  'github-wiki',
  'notion',
  'google-docs',
  'openapi',
] as const
const importable = ['website', 'docx', 'markdown', 'html', 'zip', 'openapi'] as const

/** The kind of source that a URL names. */
export type ImportSource = (typeof importable)[number]

/** Whether content can be imported from what a caller says that a URL names. */
export function isImportable(source: (typeof sources)[number]): source is ImportSource {
  return (importable as readonly string[]).includes(source)
}

const ImportContent = z
  .object({
    url: HttpUrl.describe(
      'Where the content is; for a website the start page, and what is below its path is imported; for `openapi` (beyond the published API) a specification, which becomes pages by tag once',
    ),
    source: z
      .enum(sources)
      .refine(
        isImportable,
        'must be website, docx, markdown, html, zip or openapi; the other sources are not available',
      ),
  })
  .meta({ id: 'ImportContent', description: 'Content to import' })

const ImportContentResult = z
  .object({
    revision: Id.describe('The content after the import, or as it is while the import goes on'),
    importedResources: z.number().int().describe('Pages and files that were imported'),
    totalResources: z.number().int().describe('Pages and files that were found'),
  })
  .meta({ id: 'ImportContentResult', description: 'What an import brought' })

/** States of an import. */
export const importStates = ['queued', 'running', 'success', 'failure', 'cancelled'] as const

const ContentImport = z
  .object({
    object: z.literal('content-import'),
    id: Id,
    state: z.enum(importStates),
    url: z.string().describe('What was imported, without query; empty for files that were uploaded'),
    source: z.enum([...importable, 'file']),
    changeRequest: Id.optional().describe(
      'The change request that the content is imported into; main content without it',
    ),
    page: Id.optional().describe('The page below which the content is placed'),
    importedResources: z.number().int(),
    totalResources: z.number().int(),
    createdAt: Timestamp,
    startedAt: Timestamp.optional(),
    completedAt: Timestamp.optional(),
    revision: Id.optional(),
    error: z.object({ code: z.number().int(), message: z.string() }).optional(),
    warnings: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('What was left out, and why; `path` is a path of the source, or a URL without query'),
  })
  .meta({ id: 'ContentImport', description: 'One import of content from a URL' })

const ApplyTemplate = ApplySpaceTemplate.extend({
  changeRequestId: Id.optional().describe('The change request that the pages are added to; main content without it'),
}).meta({ id: 'ApplyTemplate', description: 'A template to apply, and what to' })

const importing = {
  body: ImportContent,
  reply: ImportContentResult,
  creates: 'resource',
  limits: { timeoutMs: 65_000 },
  errors: ['not_found', 'conflict', 'too_large', 'timeout', 'unavailable'],
  description:
    'Waits for the import for up to 50 seconds; one that takes longer goes on, and the reply says what is there so far. The header `Location` names the import. A file that is too large is refused (413).',
} as const

const intoMain = `${importing.description} A locked space is refused (409).`
const intoChangeRequest = `${importing.description} Also possible while the space is locked; refused when the change request is merged or archived (409).`

/** Operations that bring content into a space. */
export const imports = endpoints({
  importContent: {
    route: 'POST /spaces/{spaceId}/content/import',
    summary: 'Import content from a URL into a space',
    ...importing,
    description: intoMain,
    scope: 'space:write',
    access: onResource('edit'),
    records: ['import.started'],
    examples: [{ body: { url: 'http://repository.invalid/HEAD', source: 'markdown' } }],
  },
  importContentInPageById: {
    route: 'POST /spaces/{spaceId}/content/page/{pageId}/import',
    summary: 'Import content from a URL below a page',
    ...importing,
    description: intoMain,
    scope: 'space:write',
    access: onResource('edit'),
    records: ['import.started'],
    examples: [{ body: { url: 'http://repository.invalid/HEAD', source: 'markdown' } }],
  },
  listContentImports: {
    route: 'GET /spaces/{spaceId}/content/imports',
    summary: 'List the imports of a space, newest first',
    description: 'Imports into change requests of the space are listed, too.',
    query: page,
    reply: list(ContentImport),
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  getContentImport: {
    route: 'GET /spaces/{spaceId}/content/imports/{importId}',
    summary: 'Get an import',
    description:
      '`warnings` says what was left out and why, `error` why it failed; an import that failed has changed nothing.',
    reply: ContentImport,
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  applyTemplateToSpace: {
    route: 'POST /spaces/{spaceId}/content/template',
    summary: 'Add the pages of a template to a space',
    description:
      'The pages are added as one revision; `Location` leads to the content. A locked space is refused (409), and so is a change request that is merged or archived. The ids of templates are `product-docs`, `api-docs`, `team-handbook`, `changelog` and `guide`; others are 404.',
    body: ApplyTemplate,
    reply: empty,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('edit'),
    records: ['space.content.updated', 'change-request.content.updated'],
    examples: [
      { body: { id: 'guide' } },
      { body: { id: 'guide', changeRequestId: '{changeRequestId}' } },
      ...templateExamples.map(body => ({ body })),
    ],
  },
})

/** Operations that bring content into a change request. */
export const changeRequestImports = endpoints({
  importContentInChangeRequest: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/content/import',
    summary: 'Import content from a URL into a change request',
    ...importing,
    description: intoChangeRequest,
    scope: 'space:write',
    access: onResource('edit'),
    records: ['import.started'],
    examples: [{ body: { url: 'http://repository.invalid/HEAD', source: 'markdown' } }],
  },
  importContentInChangeRequestPageById: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import',
    summary: 'Import content from a URL below a page of a change request',
    ...importing,
    description: intoChangeRequest,
    scope: 'space:write',
    access: onResource('edit'),
    records: ['import.started'],
    examples: [{ body: { url: 'http://repository.invalid/HEAD', source: 'markdown' } }],
  },
})
