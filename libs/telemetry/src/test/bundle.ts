import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'

const libs = join(import.meta.dirname, '../../..')

/** Our libraries are bundled from their sources; packages stay outside. */
const ourLibraries: Plugin = {
  name: 'our-libraries',
  setup({ onResolve }) {
    onResolve({ filter: /^@recto\/[\w-]+$/ }, ({ path }) => ({
      path: join(libs, path.slice('@recto/'.length), 'src/index.ts'),
    }))
  },
}

/** Bundles a program of this folder as the apps are; gives the path of what can be run. */
export async function bundled(name: string): Promise<string> {
  const outfile = join(libs, `telemetry/dist/${name}.mjs`)
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    plugins: [ourLibraries],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  return outfile
}
