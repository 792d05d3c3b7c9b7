import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from '@jest/globals'
import { removeFolder } from '@recto/testing'

const root = fileURLToPath(new URL('../..', import.meta.url))
const apps = join(root, 'dist/apps')
const names = readdirSync(apps, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []))

interface Imports {
  count: number
  faults: string[]
}

const folders: string[] = []
afterAll(() => Promise.all(folders.map(folder => removeFolder(folder))))

/** The packages of scripts/bundle-packages.mjs that stay outside and that a process needs at once. */
const unbundled = ['pg', 'piscina']

/** Prints, when the process ends, what its own code has required, one on a line. */
const printRequired = `
  const { Module } = require('node:module')
  const load = Module._load
  const required = new Set()
  Module._load = (request, parent, isMain) => {
    if (parent?.filename?.startsWith(${JSON.stringify(apps)})) required.add(request)
    return load(request, parent, isMain)
  }
  process.on('exit', () => process.stdout.write([...required].join('\\n')))
`

/** Imports each module that names the exports of a package which programs use, and prints those that fail. */
const importEntries = `
  import { readdirSync } from 'node:fs'
  import { join } from 'node:path'
  const folder = process.argv[1]
  const files = readdirSync(folder)
  const faults = []
  for (const file of files) await import(join(folder, file)).catch(error => faults.push(file + ': ' + error.message))
  console.log(JSON.stringify({ count: files.length, faults }))
`

/** The packages that a process has loaded when it finds that it has no settings. */
function loadedAtStart(name: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'recto-bundles-'))
  folders.push(folder)
  const hook = join(folder, 'hook.cjs')
  writeFileSync(hook, printRequired)
  const args = ['--require', hook, join(apps, name, 'main.js'), 'no such command']
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} })
  const required = stdout.split('\n')
  expect(required).toContain(`../load-program.js`)
  return required.filter(path => !/^(\.|\/|node:)/.test(path) && !builtinModules.includes(path))
}

describe('the programs', () => {
  it.each(names)('of %s have their packages in them', name => {
    expect(loadedAtStart(name).filter(specifier => !unbundled.includes(specifier))).toEqual([])
  })

  it.each(names)('of %s are strict, as modules are', name => {
    const isProgram = (file: string) => /-[0-9a-f]{16}\.js$/.test(file)
    const programs = readdirSync(join(apps, name)).filter(isProgram)
    const beginnings = programs.map(file => readFileSync(join(apps, name, file), 'latin1').split('\n')[1])
    expect(new Set(beginnings)).toEqual(new Set([`'use strict'`]))
  })

  it('of commands load no package before they know the command', () => {
    const file = readdirSync(join(apps, 'cli')).find(name => /^main-[0-9a-f]{16}\.js$/.test(name)) ?? ''
    expect(readFileSync(join(apps, 'cli', file), 'utf8')).not.toContain('node_modules/')
  })
})

/** A copy of the commands, whose folder has no code cache yet. */
const aCopy = () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-bundles-'))
  folders.push(folder)
  const copy = join(folder, 'dist/apps')
  mkdirSync(copy, { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['package.json', 'load-program.js', 'cli', 'content'])
    cpSync(join(apps, name), join(copy, name), { recursive: true, filter: path => !path.endsWith('.cache') })
  const cli = join(copy, 'cli')
  return {
    apps: copy,
    recto: (...args: string[]) =>
      execFileSync(process.execPath, [join(cli, 'main.js'), ...args], { encoding: 'utf8', stdio: 'pipe' }),
    caches: (program: string) =>
      readdirSync(cli)
        .filter(file => file.startsWith(`${program}-`) && file.endsWith('.cache'))
        .map(file => join(cli, file)),
    /** A folder of so many pages that have no fault. */
    pages: (count: number) => {
      const docs = join(folder, 'docs')
      mkdirSync(docs)
      const names = Array.from({ length: count }, (_, number) => `page-${number}.md`)
      for (const name of names) writeFileSync(join(docs, name), `# Page\n\n${'Text of a *page*. '.repeat(100)}\n`)
      writeFileSync(join(docs, 'README.md'), '# Home\n')
      writeFileSync(
        join(docs, 'SUMMARY.md'),
        `* [Home](README.md)\n${names.map(name => `* [Page](${name})\n`).join('')}`,
      )
      return docs
    },
  }
}
describe('packages', () => {
  it('have the names that programs import from them', () => {
    const args = ['--input-type=module', '--eval', importEntries, join(root, 'dist/packages/entries')]
    const { count, faults } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Imports
    expect([count > 50, faults]).toEqual([true, []])
  })
})

describe("V8's code cache", () => {
  it('is written by the first start of a program, and taken as it is by the next', () => {
    const { recto, caches } = aCopy()
    const version = recto('version')
    const [cache = ''] = caches('main')
    const { mtimeMs, size } = statSync(cache)
    expect(size).toBeGreaterThan(1_000)
    expect([recto('version'), caches('main'), statSync(cache).mtimeMs]).toEqual([version, [cache], mtimeMs])
  })

  it('lets a program load others that the one before did not', () => {
    const { recto, caches, pages } = aCopy()
    recto('version')
    expect(caches('check-command')).toEqual([])
    expect(JSON.parse(recto('check', pages(1), '--json'))).toMatchObject({ errors: 0 })
    expect(caches('check-command')).toHaveLength(1)
  })

  // V8 itself does not notice most of this, and ends the process.
  it.each<[string, (cache: Buffer) => Buffer]>([
    ['is empty', () => Buffer.alloc(0)],
    ['was cut', cache => cache.subarray(0, 100)],
    ['lost a page', cache => Buffer.from(cache).fill(0, 1_000, 3_000)],
    ['has another bit', cache => Buffer.from(cache).fill((cache.at(2_000) ?? 0) ^ 1, 2_000, 2_001)],
  ])('that %s is written again', (_fault, damage) => {
    const { recto, caches } = aCopy()
    const version = recto('version')
    const [cache = ''] = caches('main')
    const damaged = damage(readFileSync(cache))
    writeFileSync(cache, damaged)
    expect(recto('version')).toBe(version)
    const { mtimeMs } = statSync(cache)
    expect(readFileSync(cache).equals(damaged)).toBe(false)
    expect([recto('version'), statSync(cache).mtimeMs]).toEqual([version, mtimeMs])
  })

  it('is written by a program that has no settings, too: so it is when an image is built', () => {
    const { apps: copy } = aCopy()
    spawnSync(process.execPath, [join(copy, 'content/main.js')], { env: {} })
    expect(readdirSync(join(copy, 'content')).filter(file => /^main-.*\.cache$/.test(file))).toHaveLength(1)
  })

  it('is written by worker threads, too', () => {
    const { recto, caches, pages } = aCopy()
    recto('check', pages(300), '--json')
    expect(caches('check-worker')).toHaveLength(1)
  })
})

/** Parses Markdown files with the package and with its bundle, and prints how many there are and those whose trees differ. */
const compareParsers = `
  import { readFileSync } from 'node:fs'
  import { isDeepStrictEqual } from 'node:util'
  import { build } from 'esbuild'
  import * as original from 'mdast-util-from-markdown'
  import { gfm } from 'micromark-extension-gfm'
  import { gfmFromMarkdown } from 'mdast-util-gfm'
  import { changedPackages } from './scripts/changed-packages.mjs'
  const { setup } = changedPackages()
  let changed = 0
  const { outputFiles: [{ text: code }] } = await build({
    entryPoints: ['mdast-util-from-markdown'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    // Changes of packages that are not in this bundle would be faults.
    plugins: [{ name: 'changes', setup: ({ onLoad }) => setup({
      onLoad: (options, load) => onLoad(options, args => (changed++, load(args))),
      onEnd: () => undefined,
    }) }],
  })
  const bundled = await import('data:text/javascript;base64,' + Buffer.from(code).toString('base64'))
  const files = process.argv.slice(1)
  const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
  const differs = file => {
    const text = readFileSync(file, 'utf8')
    return !isDeepStrictEqual(original.fromMarkdown(text, options), bundled.fromMarkdown(text, options))
  }
  console.log(JSON.stringify({ changed, count: files.length, differing: files.filter(differs) }))
`

describe('a package that is changed when it is bundled', () => {
  it('gives the same trees of Markdown', () => {
    const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    const pages = files.filter(file => file.endsWith('.md')).map(file => join('docs', file))
    const args = ['--input-type=module', '--eval', compareParsers, ...pages]
    const output = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    expect(pages.length).toBeGreaterThan(50)
    expect(JSON.parse(output)).toEqual({ changed: 1, count: pages.length, differing: [] })
  })
})
