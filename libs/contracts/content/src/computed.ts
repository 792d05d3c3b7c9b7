import { z } from 'zod'
import {
  ComputedGrouping,
  endpoints,
  File,
  Id,
  Page,
  readersAndVisitors,
  reads,
  ReusableContent,
  text,
  unsupported,
} from '@recto/contracts-shared'
import { JSONDocument } from '@recto/markdown/schema'

/** A specification as replies of other clients resolve it: callers may send back what they got. */
export const SpecificationValue = z
  .object({
    object: z.literal('openapi-spec'),
    id: Id,
    slug: z.string(),
    lastVersion: z.string().optional(),
    visibility: z.string().optional(),
  })
  .nullable()
  .optional()
  .describe('Has no effect: the specification is read where `ref` says')

/** A dependency on a translation, which no page has. */
export const noTranslation = unsupported('is not available: a translation makes a space of its own')

/** Whether pages link to the specification. */
export const downloadLink = z
  .literal(false, { error: 'must be false: pages do not link to the text of a specification' })
  .describe('`false`: a public specification has an address of its own')

const dependencies = z.object({
  spec: z.object({ ref: z.object({ kind: z.literal('openapi'), spec: Id }), value: SpecificationValue }),
  translation: noTranslation,
})
const methods = ['get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'trace', 'hook'] as const
const PageKey = text({ min: 1, max: 1_000 })

/** The part of a specification that a document is made from; those of computed pages are the first two. */
const Part = z.union([
  z.object({ doc: z.literal('models') }),
  z.object({ doc: z.enum(['operations', 'info', 'tag']), page: PageKey.describe('`tag` has the text alone') }),
  z.object({
    doc: z.literal('operation'),
    page: PageKey.describe('The path of an operation, or the name of a webhook'),
    method: z.enum(methods).describe('`hook` is any method of a webhook'),
    deprecated: z.boolean().optional().describe('Has no effect: the specification says so'),
  }),
])
const seed = text({ max: 1_000 }).describe(
  'Ids of what is computed follow from it: they are the same for the same seed',
)

const ofTranslation = z.object({ space: noTranslation, document: noTranslation })

const ComputedDocumentRequest = z
  .object({
    source: z.object({ type: z.literal('builtin:openapi'), props: Part.and(ofTranslation), dependencies }),
    seed,
  })
  .meta({ id: 'ComputedDocumentRequest', description: 'What a computed document is made from' })

const ComputedRevisionRequest = z
  .object({
    source: z.object({
      type: z.literal('builtin:openapi'),
      props: z.object({
        models: z.boolean(),
        grouping: ComputedGrouping.optional(),
        downloadLink: downloadLink.optional(),
      }),
      dependencies,
    }),
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
    scope: 'space:read',
    access: { ...readersAndVisitors, visitors: 'onPage' },
    records: reads,
    examples: [{ body: exampleOf({ doc: 'operations', page: 'tag:toys' }) }],
  },
  getComputedRevision: {
    route: 'POST /spaces/{spaceId}/content/computed/revision',
    summary: 'Compute pages from a source',
    description: ofLast,
    body: ComputedRevisionRequest,
    reply: ComputedRevision,
    isIdempotent: true,
    errors: ['not_found', 'unavailable'],
    scope: 'space:read',
    access: { ...readersAndVisitors, visitors: 'onPage' },
    records: reads,
    examples: [{ body: exampleOf({ models: true }) }],
  },
})
