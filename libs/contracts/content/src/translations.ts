import { z } from 'zod'
import {
  boundedDocument,
  empty,
  Id,
  Language,
  list,
  page,
  Timestamp,
  Url,
  endpoints,
  guests,
  onResource,
  deleters,
} from '@recto/contracts-shared'
import { JSONDocument } from '@recto/markdown/schema'

/** Characters of a translation's instructions as JSON. */
const instructionsLength = 50_000
/** Languages that content is translated from and to. */
const TranslationLanguage = Language

const TranslationSource = z
  .object({
    space: Id.describe('The space that is translated'),
    language: TranslationLanguage.describe('The language that it is written in'),
  })
  .meta({ id: 'TranslationSource', description: 'What a translation is made of' })

const TranslationResult = z
  .object({ space: Id, revision: Id, language: TranslationLanguage })
  .meta({ id: 'TranslationResult', description: 'The translated space, its main content and its language' })

const Instructions = boundedDocument(instructionsLength)

const Translation = z
  .object({
    object: z.literal('translation'),
    id: Id,
    status: z.enum(['pending', 'running', 'completed']).describe('`pending` until its first run has ended'),
    source: TranslationSource,
    language: TranslationLanguage,
    instructions: JSONDocument,
    result: TranslationResult.optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    stats: z.object({
      runs: z.number().int(),
      totalWords: z.number().int(),
      totalPages: z.number().int(),
      totalDuration: z.number().int().describe('Seconds'),
      latestRunDuration: z.number().int().describe('Seconds'),
      latestPages: z.number().int(),
      latestWords: z.number().int(),
    }),
    permissions: z.object({ view: z.boolean(), edit: z.boolean() }),
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'Translation', description: 'A space that is kept in another language' })

const CreateTranslation = z
  .object({
    source: TranslationSource,
    language: TranslationLanguage,
    instructions: Instructions.optional().describe(
      'What a translator should follow; for engines that take instructions',
    ),
  })
  .refine(({ source, language }) => source.language !== language, {
    path: ['language'],
    message: 'must be another language than that of the source',
  })
  .meta({ id: 'CreateTranslation', description: 'A translation to create' })

const UpdateTranslation = z
  .object({ instructions: Instructions })
  .meta({ id: 'UpdateTranslation', description: 'Instructions of a translation' })

/** States of a run. */
export const translationRunStates = ['queued', 'running', 'success', 'failure', 'cancelled'] as const

/** A text that a run left as it was, and why. */
const TranslationNote = z
  .object({
    page: Id.optional().describe(
      'The page of the target, which has the id of its source; left out for a reusable content',
    ),
    title: z.string().describe('Title of the page or reusable content'),
    text: z.string().describe('The text, shortened'),
    message: z.string(),
  })
  .meta({ id: 'TranslationNote', description: 'A text that a run left as it was, and why' })

const TranslationRun = z
  .object({
    object: z.literal('translation-run'),
    id: Id,
    state: z.enum(translationRunStates),
    progress: z.object({ done: z.number().int(), total: z.number().int() }).describe('Pages'),
    sent: z
      .object({ segments: z.number().int(), characters: z.number().int() })
      .describe('What was sent to the engine; texts that it knows already are not'),
    createdAt: Timestamp,
    startedAt: Timestamp.optional(),
    completedAt: Timestamp.optional(),
    sourceRevision: Id.optional().describe('The main content of the source that it brought over'),
    revision: Id.optional().describe('The main content of the target after it'),
    error: z.object({ code: z.number().int(), message: z.string() }).optional(),
    failures: z.array(TranslationNote).describe('Texts that keep their source; the next run tries them again'),
    kept: z.array(TranslationNote).describe('Texts of the target that people edited, and that stay as they are'),
    notes: z.number().int().describe('All failures and kept texts; the lists hold the first of them'),
  })
  .meta({ id: 'TranslationRun', description: 'One run of a translation' })

/** Instructions of an example. */
const someInstructions = {
  object: 'document',
  data: { schemaVersion: 8 },
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Address the reader informally.', marks: [] }] }],
    },
  ],
}

const translation = '/orgs/{organizationId}/translations/{translationId}'

/** Operations on translations of spaces. */
export const translations = endpoints({
  listTranslations: {
    route: 'GET /orgs/{organizationId}/translations',
    summary: 'List the translations of an organization, newest first',
    description:
      'Those whose source and target you can read. A translation that has run once is `completed` between its runs.',
    query: page,
    reply: list(Translation),
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...guests, limited: 'filtered' },
  },
  createTranslation: {
    route: 'POST /orgs/{organizationId}/translations',
    summary: 'Create a translation of a space, and the empty space that it is written to',
    description:
      'Nothing is translated until it runs. The target comes last in the collection of the source, where you need the role `create`, too. It is as closed as the source is now, and does not follow it. A source that is deleted is refused (409).',
    body: CreateTranslation,
    reply: Translation,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: { ...onResource('create'), limited: 'checked' },
    records: ['translation.created', 'space.created', 'space.content.updated', 'space.permissions.updated'],
    examples: [{ body: { source: { space: '{spaceId}', language: 'en' }, language: 'fr' } }],
  },
  getTranslation: {
    route: `GET ${translation}`,
    summary: 'Get a translation',
    description: 'Who cannot read its source or its target does not find it (404). `stats` sums up its runs.',
    reply: Translation,
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...onResource('read'), limited: 'checked' },
  },
  updateTranslation: {
    route: `PUT ${translation}`,
    summary: 'Update the instructions of a translation',
    description:
      'Only engines that take instructions follow them; what was translated under others is translated again by the next run.',
    body: UpdateTranslation,
    reply: Translation,
    errors: ['not_found'],
    scope: 'space:write',
    access: { ...onResource('create'), limited: 'checked' },
    records: ['translation.updated'],
    examples: [{ body: { instructions: someInstructions } }],
  },
  deleteTranslation: {
    route: `DELETE ${translation}`,
    summary: 'Delete a translation; its target stays as a space like others',
    description:
      'Its runs and what it remembers of translated texts are deleted. A translation that is not there, or that you cannot see, is left as it is.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    scope: 'space:write',
    access: { ...deleters, limited: 'checked' },
    records: ['translation.deleted'],
  },
  runTranslation: {
    route: `POST ${translation}/run`,
    summary: 'Bring over what changed since the last run',
    description:
      'The header `Location` names the run. While a run waits or goes on, no second one starts. Without a translation engine in the settings of the installation it is refused (409).',
    reply: empty,
    status: 204,
    creates: 'effect',
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: { ...onResource('create'), limited: 'checked' },
    records: ['translation.run.started'],
  },
  listTranslationRuns: {
    route: `GET ${translation}/runs`,
    summary: 'List the runs of a translation, newest first (extension)',
    description: 'A run that goes on shows how many pages it has done.',
    query: page,
    reply: list(TranslationRun),
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...onResource('read'), limited: 'checked' },
  },
  getTranslationRun: {
    route: `GET ${translation}/runs/{runId}`,
    summary: 'Get a run of a translation with its failures (extension)',
    description:
      'It lists texts that kept their source because their translation failed, and those that people edited; `notes` counts all of them.',
    reply: TranslationRun,
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...onResource('read'), limited: 'checked' },
  },
  cancelTranslationRun: {
    route: `POST ${translation}/runs/{runId}/cancel`,
    summary: 'Cancel a run that has not ended; what it translated is remembered, and not written (extension)',
    description: 'A run that is cancelled stays so; one that has ended otherwise is refused (409).',
    reply: empty,
    status: 204,
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: { ...onResource('create'), limited: 'checked' },
    records: ['translation.run.finished'],
    examples: [{ answers: 409 }],
  },
})
