import { z } from 'zod'
import { Id, text, Timestamp, Url } from './conventions.ts'

const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const maxSlugLength = 100

/** The slug of a specification, by which documents name it. */
export const SpecSlug = text({ min: 1, max: maxSlugLength }).regex(
  slug,
  'must be lower-case letters and digits in groups joined by -',
)

const sourceUrl = Url.max(2_048).describe(
  'As it was set, without its query for those who may not change the specification',
)
/** How far processing is. */
export const processingStates = ['pending', 'progress', 'complete'] as const

/** Why the last processing failed. */
export const processErrorCodes = ['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'] as const

const OpenAPIErrorObject = z
  .object({ message: z.string(), code: z.string().optional() })
  .meta({ id: 'OpenAPIErrorObject', description: 'What is wrong with a specification' })

/** An OpenAPI specification. */
export const OpenAPISpec = z
  .object({
    object: z.literal('openapi-spec'),
    id: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    slug: z.string(),
    sourceURL: sourceUrl.optional(),
    processingState: z.enum(processingStates),
    visibility: z.enum(['private', 'public']),
    lastVersion: Id.optional().describe('The last version that could be read'),
    lastProcessedAt: Timestamp.optional(),
    lastProcessErrorCode: z.enum(processErrorCodes).optional().describe('Left out when the last processing succeeded'),
    lastProcessedErrors: z.array(OpenAPIErrorObject).optional(),
    lastProcessedErrorCount: z
      .int()
      .min(0)
      .default(0)
      .describe('How many errors the last processing had; the first 100 of them are listed'),
    permissions: z.object({ view: z.boolean(), edit: z.boolean() }),
    urls: z.object({
      location: Url,
      app: Url,
      published: Url.optional().describe('Where anybody can download the last version as JSON; with `.yaml` as YAML'),
    }),
  })
  .meta({ id: 'OpenAPISpec', description: 'An OpenAPI specification of an organization' })
