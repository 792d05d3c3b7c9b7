// npm run openapi: generates openapi.json from the contract. Its diff shows a change of the API for review.
import { writeFile } from 'node:fs/promises'
import { bundle } from './build.mjs'

const outdir = new URL('../dist/openapi/', import.meta.url)
await bundle({ document: 'apps/gateway/src/api-document.ts' }, outdir.pathname)
const { writtenDocument } = await import(new URL('document.js', outdir))
await writeFile(new URL('../openapi.json', import.meta.url), writtenDocument())
