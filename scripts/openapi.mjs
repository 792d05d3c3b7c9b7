// npm run openapi: writes openapi.json from the contract. Its difference is the review of a change of the API.
import { writeFile } from 'node:fs/promises'
import { bundle } from './build.mjs'

const outdir = new URL('../dist/openapi/', import.meta.url)
await bundle({ documents: 'apps/gateway/src/documents.ts' }, outdir.pathname)
const { writtenDocument } = await import(new URL('documents.js', outdir))
await writeFile(new URL('../openapi.json', import.meta.url), writtenDocument())
