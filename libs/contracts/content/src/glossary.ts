import { z } from 'zod'
import { empty, Id, Language, list, page, text, Timestamp, Url, endpoints, onResource } from '@recto/contracts-shared'

/** Bounds of a glossary. */
export const glossaryLimits = { termLength: 255, operations: 1_000, entries: 10_000 }

const Terms = z
  .partialRecord(
    Language,
    text({ min: 1, max: glossaryLimits.termLength }).refine(
      term => !/[\r\n]/.test(term),
      'must have a single line of text',
    ),
    { error: 'must have languages as keys, and terms as values' },
  )
  .refine(terms => Object.keys(terms).length > 0, 'must have a term in one language at least')

const GlossaryEntry = z
  .object({
    object: z.literal('glossary-entry'),
    id: Id,
    translations: z.record(z.string(), z.string()).describe('The term by language'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'GlossaryEntry', description: 'A term, and what it is called in other languages' })

const GlossaryOperation = z
  .discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('insert'), translations: Terms }),
      z.object({ type: z.literal('update'), id: Id, translations: Terms.describe('Replaces all terms of the entry') }),
      z.object({ type: z.literal('delete'), id: Id }),
    ],
    { error: 'must be an operation of type insert, update or delete' },
  )
  .meta({ id: 'GlossaryOperation', description: 'A change of a glossary' })

const UpdateGlossary = z
  .object({
    operations: z
      .array(GlossaryOperation)
      .max(glossaryLimits.operations, `must have at most ${glossaryLimits.operations} operations`),
  })
  .meta({ id: 'UpdateGlossary', description: 'Changes of a glossary, which are made together' })

/** Operations on the glossary of an organization's translations. */
export const glossary = endpoints({
  listGlossaryEntries: {
    route: 'GET /orgs/{organizationId}/translations-glossary',
    summary: 'List the glossary of an organization',
    description:
      'The newest come first, or with `orderBy` those by the terms of a language. Guests do not see the glossary (404).',
    query: page.extend({
      orderBy: Language.optional().describe(
        'By the terms in this language; entries without come last. Without it the newest come first',
      ),
    }),
    reply: list(GlossaryEntry),
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  updateGlossaryEntries: {
    route: 'PUT /orgs/{organizationId}/translations-glossary',
    summary: 'Add, change and delete entries of the glossary',
    description:
      'All or nothing: an entry to update that is not there is 404 with its place, while deleting one that is not there is no error. Up to 1,000 operations at once, and 10,000 entries in all (409). Changed terms are translated by the next runs.',
    body: UpdateGlossary,
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('create'),
    records: ['glossary.updated'],
    examples: [
      { body: { operations: [{ type: 'insert', translations: { en: 'ours' } }] } },
      { body: { operations: [{ type: 'update', id: '{glossaryEntryId}', translations: { en: 'ours' } }] } },
      { body: { operations: [{ type: 'delete', id: '{glossaryEntryId}' }] }, ignores: ['glossaryEntryId'] },
    ],
  },
  getGlossaryEntry: {
    route: 'GET /orgs/{organizationId}/translations-glossary/{glossaryEntryId}',
    summary: 'Get an entry of the glossary',
    description: 'Guests do not see the glossary (404).',
    reply: GlossaryEntry,
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
})
