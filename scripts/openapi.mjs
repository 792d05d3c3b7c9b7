// npm run openapi: generates openapi.json (with the examples that `npm run examples` recorded), docs/operations-by-role.md, docs/scopes.md and
// docs/published-api.md from the contract. Their diff shows a change of the API for review.
import { readFile, writeFile } from 'node:fs/promises'
import { bundleModules } from './bundle.mjs'

const outdir = new URL('../dist/openapi/', import.meta.url)
await bundleModules(
  {
    document: 'apps/gateway/src/api-document.ts',
    access: 'apps/gateway/src/access-document.ts',
    scopes: 'apps/gateway/src/scopes-document.ts',
    published: 'e2e/src/published-document.ts',
  },
  outdir.pathname,
)
const { writtenDocument } = await import(new URL('document.js', outdir))
const examples = await readFile(new URL('../apps/gateway/src/api-reference/examples.json', import.meta.url), 'utf8')
await writeFile(new URL('../openapi.json', import.meta.url), writtenDocument(JSON.parse(examples)))
const { accessDocument } = await import(new URL('access.js', outdir))
await writeFile(new URL('../docs/operations-by-role.md', import.meta.url), accessDocument())
const { scopesDocument } = await import(new URL('scopes.js', outdir))
await writeFile(new URL('../docs/scopes.md', import.meta.url), scopesDocument())
const { publishedDocument } = await import(new URL('published.js', outdir))
await writeFile(new URL('../docs/published-api.md', import.meta.url), publishedDocument())
