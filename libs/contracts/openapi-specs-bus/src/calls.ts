import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, HttpUrl, Id, OpenAPISpec } from '@recto/contracts-shared'

const OutlineOperation = z.object({ method: z.string(), path: z.string(), title: z.string().optional() })
const OutlineWebhook = z.object({ method: z.string(), name: z.string(), title: z.string().optional() })

/** A page of an outline: what it says, and the operations that it shows. */
const OutlinePage = z.object({
  key: z.string().describe('Names the page in its specification, whatever its title and its place'),
  parent: z.string().optional().describe('The key of the page that it is below'),
  name: z.string().describe('What its path is made of'),
  title: z.string(),
  description: z.string().optional(),
  icon: z.string().optional(),
  text: z.string().optional().describe('Markdown'),
  operations: z.array(OutlineOperation),
  webhooks: z.array(OutlineWebhook),
})

/** The pages of a specification: an overview, pages by tag in the order of the document, and models. */
export const SpecificationOutline = z.object({
  title: z.string(),
  text: z.string().optional().describe('Markdown'),
  pages: z.array(OutlinePage),
  schemas: z.array(z.string()),
})

/** The result of reading a specification: its outline, or why there is none. */
export const SpecificationReading = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('outline'), outline: SpecificationOutline }),
  z.object({
    kind: z.literal('failure'),
    reason: z.enum(['invalid', 'timeout', 'unreachable']),
    message: z.string(),
  }),
])

const slugs = z.array(z.string()).max(100)

/** Calls from content to openapi-specs. */
export const openApiSpecCalls = operations({
  describeVersions: {
    summary: 'Describe the last versions of specifications; those without any are left out',
    body: z.object({ organization: Id, slugs }),
    reply: z.object({
      versions: z.array(z.object({ slug: z.string(), spec: Id, version: Id, outline: SpecificationOutline })),
    }),
  },
  createSpecification: {
    summary: 'Create a specification of a URL in the name of an actor',
    body: z.object({ actor: Actor, organization: Id, slug: z.string(), url: HttpUrl }),
    reply: z.object({ slug: z.string() }),
    errors: ['not_found', 'conflict'],
  },
  readSpecification: {
    summary: 'Read the specification that a URL names, without keeping it',
    body: z.object({ url: z.string() }),
    limits: { timeoutMs: 120_000 },
    reply: SpecificationReading,
  },
  describeSpecs: {
    summary: 'Describe specifications as an actor sees them; others are left out',
    body: z.object({ actor: Actor, organization: Id, slugs }),
    reply: z.object({ specs: z.array(OpenAPISpec) }),
  },
})
