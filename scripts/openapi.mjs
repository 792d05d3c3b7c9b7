// npm run openapi: generates openapi.json, docs/operations-by-role.md and docs/published-api.md from the contract. Their diff shows a change
// of the API for review.
import { writeFile } from 'node:fs/promises'
import { bundle } from './build.mjs'

const outdir = new URL('../dist/openapi/', import.meta.url)
await bundle(
  {
    document: 'apps/gateway/src/api-document.ts',
    access: 'apps/gateway/src/access-document.ts',
    published: 'e2e/src/published-document.ts',
  },
  outdir.pathname,
)
const { writtenDocument } = await import(new URL('document.js', outdir))
await writeFile(new URL('../openapi.json', import.meta.url), writtenDocument())
const { accessDocument } = await import(new URL('access.js', outdir))
await writeFile(new URL('../docs/operations-by-role.md', import.meta.url), accessDocument())
const { publishedDocument } = await import(new URL('published.js', outdir))
await writeFile(new URL('../docs/published-api.md', import.meta.url), publishedDocument())
