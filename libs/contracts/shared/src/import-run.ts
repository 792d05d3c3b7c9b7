import { z } from 'zod'
import { HttpUrl, Id, Timestamp, Url } from './conventions.ts'

/** Statuses of an import run. */
export const importRunStatuses = ['pending', 'in-progress', 'completed', 'failed', 'cancelled'] as const
/** Files that one run imports. */
const maxFiles = 50

/** The source of a run. */
export const ImportRunSource = z
  .discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('website'), url: HttpUrl }),
      z.object({
        type: z.literal('file'),
        files: z.array(Id).min(1).max(maxFiles).describe('`key` of uploads of the caller in the organization'),
      }),
    ],
    { error: 'must be of type website or file' },
  )
  .meta({ id: 'ImportRunSource', description: 'A website, or files that were uploaded: pages, documents and archives' })

/** Where a run imports to. */
export const ImportRunTarget = z
  .object({
    space: Id,
    changeRequest: Id.optional().describe('Main content without it'),
    page: Id.optional().describe('The page below which the content is placed'),
  })
  .meta({ id: 'ImportRunTarget', description: 'Where content is imported to' })

const ImportedPage = z
  .object({
    id: Id,
    sourceURL: z.string().optional().describe('Left out where the source has one URL for all pages'),
    type: z.enum(['page', 'folder']),
    status: z.literal('complete'),
  })
  .meta({ id: 'ImportRunPage', description: 'A page that an import brought' })

/** An import as replies show it. */
export const ImportRun = z
  .object({
    object: z.literal('import-run'),
    id: Id,
    status: z.enum(importRunStatuses),
    reason: z.string().optional().describe('Why it failed'),
    source: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('website'), url: z.string().describe('Without query') }),
        z.object({ type: z.literal('file'), files: z.array(z.string()) }),
      ])
      .describe('A URL also of one document or archive'),
    target: ImportRunTarget,
    site: Id.optional().describe('The site that shows the space, if it is one; else that the run was started for'),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    startedAt: Timestamp.optional(),
    completedAt: Timestamp.optional(),
    pages: z
      .array(ImportedPage)
      .optional()
      .describe('Those that it brought, once it is completed; lists leave them out'),
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'ImportRun', description: 'One import of content into a space' })

/** Imports of one space or change request, where it is shown by itself. */
export const importsOf = z.array(ImportRun).optional()
