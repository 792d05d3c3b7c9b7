import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { api } from '@recto/contracts'
import { openApiDocument, type OpenApiDocument } from '@recto/openapi'
import express, { type Express } from 'express'

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

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Recto API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`
const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, persistAuthorization: false })
`
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"

/** Mounts `/openapi.json` and `/docs` (Swagger UI), with all assets served from this process. */
export function mountDocuments(app: Express): void {
  const document = JSON.stringify(apiDocument())
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  app.get('/openapi.json', (_request, response) => void response.type('application/json').send(document))
  app.get('/', (_request, response) => response.redirect('/docs'))
  app.use('/docs', (_request, response, next) => {
    response.set({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    next()
  })
  app.get('/docs', (_request, response) => void response.type('html').send(page))
  app.get('/docs/start.js', (_request, response) => void response.type('js').send(start))
  app.use('/docs', express.static(assets, { index: false, maxAge: '1h' }))
}
