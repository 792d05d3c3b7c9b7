import { api } from '@recto/contracts'
import { openApiDocument, type OpenApiDocument, type OpenApiExample } from '@recto/openapi'
import { accessSentence } from './api-reference/access-sentence.ts'
import { fieldDescriptions } from './api-reference/field-descriptions.ts'
import { parameterDescriptions } from './api-reference/parameter-descriptions.ts'
import { siteFieldDescriptions } from './api-reference/site-field-descriptions.ts'
import { apiTags } from './api-reference/tags.ts'

const description = `Organizations own spaces; a space is a tree of pages and files with an immutable history.
Authenticate with \`Authorization: Bearer <token>\`. Errors have the body \`{"error": {"code", "message"}}\`.`

/** Requests and replies by the ids of operations, as `npm run examples` records them. */
export type ApiExamples = Readonly<Record<string, OpenApiExample>>

/** Builds the OpenAPI 3.1 document of the API. */
export function apiDocument(examples: ApiExamples = {}): OpenApiDocument {
  return openApiDocument(api, {
    title: 'Recto API',
    version: '1',
    description,
    prefix: '/v1',
    tags: apiTags,
    examples,
    descriptions: {
      parameters: parameterDescriptions,
      fields: { ...fieldDescriptions, ...siteFieldDescriptions },
      access: accessSentence,
    },
  })
}

/** Renders the committed form of the document: `npm run openapi` writes it, a test compares it. */
export function writtenDocument(examples: ApiExamples): string {
  return `${JSON.stringify(apiDocument(examples), null, 2)}\n`
}
