import { contentLimits } from '@recto/contracts-shared'
import { describe, expect, it } from '@jest/globals'
import { frontMatterLimits, readPageSource, readVariables } from '@recto/markdown'
import { buildManifest, type ImportSet } from './import-set.ts'
import { readOwnSettings } from './own-settings.ts'

// Values in a repository that no response can contain: each causes a warning with its path, and the rest is imported.

const long = 'x'.repeat(contentLimits.variable + 1)
const values: [string, string][] = [
  ['a number that is none', '.nan'],
  ['a number without end', '-.inf'],
  ['a number too large', '1e400'],
  ['a text too long', long],
  ['a list', '[1]'],
]

it('Front matter is read within the limits of the contract', () =>
  expect(frontMatterLimits).toMatchObject({ icon: contentLimits.icon, variable: contentLimits.variable }))

describe('Variables', () => {
  it.each(values)('A variable of the space that is %s is left out', (_title, value) => {
    expect(readVariables(`good: 1\nbad: ${value}\n`, 'vars.yaml')).toEqual({
      variables: { good: 1 },
      warnings: [{ path: 'vars.yaml', line: 2, message: expect.stringContaining('The variable bad is left out: ') }],
    })
  })

  it.each(values)('A variable of a page that is %s is left out', (_title, value) => {
    const { frontMatter, warnings } = readPageSource(`---\nvars:\n  good: 1\n  bad: ${value}\n---\n`, 'p.md')
    expect([frontMatter, warnings]).toEqual([
      { vars: { good: 1 } },
      [{ path: 'p.md', line: 4, message: expect.stringContaining('bad') }],
    ])
  })

  it('A variable may have the maximum length, counted in characters', () => {
    const text = '😀'.repeat(contentLimits.variable)
    expect(readVariables(`emoji: ${text}\n`, 'vars.yaml')).toEqual({ variables: { emoji: text }, warnings: [] })
  })
})

it.each([
  ['icon', `icon: ${'i'.repeat(contentLimits.icon + 1)}`],
  ['coverY', 'coverY: .nan'],
])('The front matter field %s is ignored when no response can contain it', (field, line) => {
  const { frontMatter, warnings } = readPageSource(`---\n${line}\ntitle: T\n---\n`, 'p.md')
  expect([frontMatter, warnings]).toEqual([
    { title: 'T' },
    [{ path: 'p.md', line: 2, message: expect.stringContaining(field) }],
  ])
})

function aSet(more: Partial<ImportSet>): ImportSet {
  const configuration = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} }
  return {
    configuration,
    entries: [],
    pages: new Map(),
    files: [],
    reusableContents: [],
    bundles: [],
    variables: {},
    settings: readOwnSettings(undefined, ''),
    settingsFile: 'absent',
    warnings: [],
    ...more,
  }
}

it('A page without a title is named after its file', () => {
  const info = { oid: 'o', document: 'h', frontMatter: {}, heading: undefined }
  const { pages, warnings } = buildManifest(
    aSet({ entries: [{ kind: 'page', path: 'a/.md', children: [] }], pages: new Map([['a/.md', info]]) }),
  )
  expect(pages).toMatchObject([{ title: '.md', slug: 'page' }])
  expect(warnings).toEqual([{ path: 'a/.md', message: expect.stringContaining('no title') }])
})

it.each([
  ['b'.repeat(1_800), 0],
  ['b'.repeat(1_801), 1],
  ['日'.repeat(200), 0],
  ['日'.repeat(201), 1],
])('A path too long for a URL stays, with a warning (case %#)', (name, warned) => {
  const path = `${name}.md`
  const { pages, warnings } = buildManifest(aSet({ entries: [{ kind: 'page', path, title: 'D', children: [] }] }))
  expect(pages).toMatchObject([{ slug: name }])
  expect(warnings).toEqual(
    Array(warned).fill({ path, message: expect.stringContaining('its URL in the app names it by its id') }),
  )
})

describe('Covers', () => {
  const files = ['light.png', 'dark.png'].map(path => ({
    name: path,
    git: { path, oid: 'o' },
    hash: 'h',
    size: 1,
    contentType: 'image/png',
  }))
  it.each([
    ['light.png', { path: 'light.png' }],
    ['{light: light.png, dark: dark.png}', { path: 'light.png', pathDark: 'dark.png' }],
    ['{dark: dark.png}', { pathDark: 'dark.png' }],
    ['{dark: "https://img.example/d.png"}', { refDark: { kind: 'url', url: 'https://img.example/d.png' } }],
    [
      '{light: "https://img.example/l.png", dark: dark.png}',
      { ref: { kind: 'url', url: 'https://img.example/l.png' }, pathDark: 'dark.png' },
    ],
  ])('The cover %s keeps its images', (cover, expected) => {
    const { frontMatter } = readPageSource(`---\ncover: ${cover}\n---\n`, 'p.md')
    const pages = new Map([['p.md', { oid: 'o', document: 'h', frontMatter, heading: 'P' }]])
    expect(
      buildManifest(aSet({ entries: [{ kind: 'page', path: 'p.md', children: [] }], pages, files })).pages,
    ).toMatchObject([{ cover: { yPos: 0, ...expected } }])
  })

  it.each([
    '../../etc/passwd',
    '/etc/passwd',
    'missing.png',
    'javascript:alert(1)',
    'https://user:secret@img.example/x.png',
  ])('The cover %s is left out, with a warning', cover => {
    const { frontMatter } = readPageSource(`---\ncover: ${cover}\n---\n`, 'p.md')
    const pages = new Map([['p.md', { oid: 'o', document: 'h', frontMatter, heading: 'P' }]])
    const manifest = buildManifest(aSet({ entries: [{ kind: 'page', path: 'p.md', children: [] }], pages, files }))
    expect(manifest.pages[0]).not.toHaveProperty('cover')
    expect(manifest.warnings).toEqual([
      { path: 'p.md', message: expect.stringContaining('The field cover of the front matter is ignored') },
    ])
    expect(JSON.stringify(manifest)).not.toContain('secret')
  })
})
