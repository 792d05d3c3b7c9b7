import { api } from '@recto/contracts'
import { openApiDocument, type OpenApiDocument } from '@recto/openapi'

const description = `Organizations own spaces; a space is a tree of pages and files with an immutable history.
Authenticate with \`Authorization: Bearer <token>\`. Errors have the body \`{"error": {"code", "message"}}\`.`

/** Builds the OpenAPI 3.1 document of the API. */
export function apiDocument(): OpenApiDocument {
  return openApiDocument(api, { title: 'Recto API', version: '1', description, prefix: '/v1' })
}

/** Renders the committed form of the document: `npm run openapi` writes it, a test compares it. */
export function writtenDocument(): string {
  return `${JSON.stringify(apiDocument(), null, 2)}\n`
}
