import { z } from 'zod'
import { Id, list, page, text, endpoints, onResource } from '@recto/contracts-shared'

const Side = z.unknown().optional().describe('Left out where the thing does not exist')
const subject = {
  page: Id.optional(),
  file: Id.optional(),
  reusableContent: Id.optional(),
  variable: z.string().optional().describe('Name of a variable'),
  configuration: z
    .string()
    .optional()
    .describe(
      'Field of the repository’s configuration, `redirects.PATH` for a redirect, `tags.SLUG` for a tag, or `all`',
    ),
}

/** A part of the content that both sides of a merge changed differently. */
export const MergeConflict = z
  .object({
    kind: z
      .enum(['text', 'field', 'move', 'deleted', 'path'])
      .describe(
        '`text`: the same lines; `field`: the value of `field`; `move`: the place in the tree; `deleted`: one side deleted it, or its `ancestor`; `path`: two things have the same path',
      ),
    ...subject,
    field: z.string().optional(),
    ancestor: Id.optional().describe('The deleted page that it is below on the other side'),
    merged: z.string().optional().describe('For `text`: the lines of both sides between markers'),
    base: Side,
    main: Side,
    changeRequest: Side,
  })
  .meta({
    id: 'MergeConflict',
    description:
      'A thing that main content and a change request changed differently: the page, file, reusable content, variable or part of the configuration that it names',
  })

const Take = z.enum(['main', 'change-request'])
const subjects = ['page', 'file', 'reusableContent', 'variable', 'configuration'] as const
type Named = Partial<Record<(typeof subjects)[number], string | undefined>>

const Resolution = z
  .object({
    page: Id.optional(),
    file: Id.optional(),
    reusableContent: Id.optional(),
    variable: text().optional(),
    configuration: text().optional(),
    take: Take.optional().describe('The side whose version is taken'),
    markdown: text().optional().describe('The text that a page or a reusable content gets instead of both'),
  })
  .refine(resolution => subjects.filter(name => (resolution as Named)[name] !== undefined).length === 1, {
    message: 'must have exactly one of page, file, reusableContent, variable and configuration',
  })
  .refine(({ take, markdown }) => (take === undefined) !== (markdown === undefined), {
    message: 'must have take or markdown',
  })
  .meta({ id: 'MergeResolution', description: 'How the conflicts of one thing are settled' })

const ResolveConflicts = z
  .object({
    resolutions: z.array(Resolution).max(1_000).default([]),
    others: Take.optional().describe('The side whose version is taken in every conflict that no resolution names'),
  })
  .refine(({ resolutions, others }) => resolutions.length > 0 || others !== undefined, {
    path: ['resolutions'],
    message: 'must have at least one resolution, unless others says which side is taken',
  })
  .meta({ id: 'ResolveConflicts', description: 'Resolutions of every conflict' })

const result = <const Done extends string>(done: Done) =>
  z.object({
    revision: Id.describe('The content since; the unchanged one with `conflicts`'),
    result: z.enum([done, 'conflicts']),
  })

const errors = ['not_found', 'conflict', 'unavailable'] as const

/** Merging of change requests. */
export const merging = endpoints({
  mergeChangeRequest: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/merge',
    summary: 'Merge a change request into main content',
    description:
      'Main content becomes the merged content, also while the space is locked. `conflicts` changes nothing: list them, and resolve them. Merge rules that it does not pass are a conflict (409) that names them.',
    reply: result('merge').meta({ id: 'MergeResult', description: 'What merging has done' }),
    creates: 'effect',
    errors,
    scope: 'change-request:merge',
    access: onResource('review'),
    records: ['change-request.merged', 'space.content.updated'],
    examples: [{ params: { changeRequestId: '{ownChangeRequestId}' } }],
  },
  updateChangeRequest: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/update',
    summary: 'Update a change request with what has changed in main content',
    description: '`conflicts` changes nothing: list them, and resolve them. One that is merged is refused (409).',
    reply: result('update').meta({ id: 'UpdateResult', description: 'What updating has done' }),
    creates: 'effect',
    errors,
    scope: 'space:write',
    access: onResource('edit'),
    records: ['change-request.content.updated', 'change-request.updated'],
  },
  listChangeRequestConflicts: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/conflicts',
    summary: 'List what a change request and main content, as it is now, changed differently',
    description:
      'Empty when it can be merged as it is, and for one that is merged. Conflicts are computed from both sides as they are now, so that the list may change with either.',
    query: page,
    reply: list(MergeConflict),
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  resolveChangeRequestConflicts: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/conflicts/resolve',
    summary: 'Update a change request with main content, settling every conflict',
    description:
      'All conflicts must be settled, each by its resolution or by `others`, and nothing else be named: 409 names what is left, and changes nothing.',
    body: ResolveConflicts,
    reply: result('update')
      .extend({ result: z.literal('update') })
      .meta({
        id: 'ResolveResult',
        description: 'The content of the change request after every conflict is settled',
      }),
    creates: 'effect',
    errors,
    scope: 'space:write',
    access: onResource('edit'),
    records: ['change-request.content.updated', 'change-request.updated'],
    examples: [
      { body: { resolutions: [{ page: '{pageId}', take: 'main' }] }, answers: 409 },
      { body: { resolutions: [{ file: '{fileId}', take: 'main' }] } },
      { body: { resolutions: [{ reusableContent: '{reusableContentId}', take: 'main' }] } },
    ],
  },
})
