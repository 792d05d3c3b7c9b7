// npm run bench [-- <measure>...]: installs missing packages, builds, and runs the benchmarks.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { bundleModules } from './bundle.mjs'
import { install, nodeFault } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = join(root, 'dist/bench')

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
  await rm(outdir, { recursive: true, force: true })
  const names = ['main', 'bare/gateway', 'bare/service']
  await bundleModules(Object.fromEntries(names.map(name => [name, `bench/src/${name}.ts`])), outdir)
}
