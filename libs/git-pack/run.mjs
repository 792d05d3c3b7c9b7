// node run.mjs <file.ts> [argument...]: bundles a TypeScript program of this library and runs it.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('.', import.meta.url))
const [program = ''] = process.argv.splice(2, 1)

// Written below this folder, so that Node resolves packages from there.
await mkdir(join(folder, 'dist'), { recursive: true })
const output = await mkdtemp(join(folder, 'dist/run-'))
try {
  const outfile = join(output, 'main.mjs')
  await build({
    absWorkingDir: folder,
    entryPoints: [program],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  await import(pathToFileURL(outfile).href)
} finally {
  await rm(output, { recursive: true })
}
