import { join } from 'node:path'
import { build } from 'esbuild'

const libs = join(import.meta.dirname, '../../..')

/** Bundles a program of this folder as the apps are; gives the path of what can be run. */
export async function bundled(name: string): Promise<string> {
  const outfile = join(libs, `telemetry/dist/${name}.mjs`)
  const ours = { '@recto/operation': join(libs, 'operation/src/index.ts') }
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    alias: ours,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  return outfile
}
