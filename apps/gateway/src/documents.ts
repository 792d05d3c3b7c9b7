import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type Express } from 'express'

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const copied = beside('./openapi.json')
/** The committed document: the build copies it beside the bundle, since deriving it from the contract takes as long as the rest of a start. */
const committed = existsSync(copied) ? copied : beside('../../../openapi.json')

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

/** The committed document, parsed; it is as large as the contract, so it is read when somebody needs it. */
export function readReference(): unknown {
  return JSON.parse(readFileSync(committed, 'utf8'))
}

/** Mounts `/openapi.json` and `/docs` (Swagger UI), with all assets served from this process. */
export function mountDocuments(app: Express): void {
  const document = readFileSync(committed, 'utf8')
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
