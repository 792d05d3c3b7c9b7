// npm run bench [-- <measure>...]: installs missing packages, builds, and runs the benchmarks.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, sourceOf } from './build.mjs'
import { install, nodeFault } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = join(root, 'dist/bench')

const ours = {
  name: 'ours',
  setup({ onResolve }) {
    onResolve({ filter: /^@recto\// }, ({ path }) => ({ path: sourceOf(path) }))
  },
}

const fault = nodeFault()
try {
  if (fault) throw new Error(fault)
  install()
  await build()
  await bundleBench()
  await import(new URL('../dist/bench/main.js', import.meta.url))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** The benchmark program and the two processes of its baseline, Express and one NATS request. */
async function bundleBench() {
  const esbuild = await import('esbuild')
  await rm(outdir, { recursive: true, force: true })
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['bench/src/main.ts', 'bench/src/bare/gateway.ts', 'bench/src/bare/service.ts'],
    outdir,
    bundle: true,
    splitting: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [ours],
  })
}
