import { z } from 'zod'
import {
  ComputedDocument,
  File,
  Id,
  Page,
  ReusableContent,
  text,
  endpoints,
  readersAndVisitors,
} from '@recto/contracts-shared'
import { JSONDocument } from '@recto/markdown/schema'

const dependencies = z.object({
  spec: z.object({ ref: z.object({ kind: z.literal('openapi'), spec: Id }) }),
})
const seed = text({ max: 1_000 }).describe(
  'Ids of what is computed follow from it: they are the same for the same seed',
)

const ComputedDocumentRequest = z
  .object({
    source: ComputedDocument,
    seed,
  })
  .meta({ id: 'ComputedDocumentRequest', description: 'What a computed document is made from' })

const ComputedRevisionRequest = z
  .object({
    source: z.object({ type: z.literal('builtin:openapi'), props: z.object({ models: z.boolean() }), dependencies }),
    seed,
  })
  .meta({ id: 'ComputedRevisionRequest', description: 'What computed pages are made from' })

const ComputedRevision = z
  .object({ pages: z.array(Page), files: z.array(File), reusableContents: z.array(ReusableContent) })
  .meta({ id: 'ComputedRevision', description: 'Computed pages, with what they use' })

const ofLast =
  'Made from the last version of the specification. Callers who cannot see specifications get what a page shows that they see.'

/** The body of a request about a specification. */
const exampleOf = (props: object) => ({
  source: {
    type: 'builtin:openapi',
    props,
    dependencies: { spec: { ref: { kind: 'openapi', spec: '{specSlug}' } } },
  },
  seed: 'a',
})

/** Content that is computed from something else. */
export const computed = endpoints({
  getComputedDocument: {
    route: 'POST /spaces/{spaceId}/content/computed/document',
    summary: 'Compute a document from a source',
    description: ofLast,
    query: z.object({ schema: z.enum(['current', 'next']).optional().describe('Has no effect') }),
    body: ComputedDocumentRequest,
    reply: JSONDocument,
    isIdempotent: true,
    errors: ['not_found', 'unavailable'],
    access: { ...readersAndVisitors, visitors: 'onPage' },
    examples: [{ body: exampleOf({ doc: 'models' }) }],
  },
  getComputedRevision: {
    route: 'POST /spaces/{spaceId}/content/computed/revision',
    summary: 'Compute pages from a source',
    description: ofLast,
    body: ComputedRevisionRequest,
    reply: ComputedRevision,
    isIdempotent: true,
    errors: ['not_found', 'unavailable'],
    access: { ...readersAndVisitors, visitors: 'onPage' },
    examples: [{ body: exampleOf({ models: true }) }],
  },
})
