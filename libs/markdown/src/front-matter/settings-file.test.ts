import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { changedSettingsFile, readSettingsFile, type SettingsChange } from './settings-file.ts'

const entry = { emoji: z.string().max(5), slug: z.string(), hidden: z.boolean(), condition: z.string().max(20) }
const schemas = { pages: entry, entries: entry, files: { name: z.string() } }
type Section = keyof typeof schemas

const read = (text: string) => {
  const { sections, warnings, isReadable, fault } = readSettingsFile<Section>(text, 'recto.yaml', schemas)
  const lists = Object.entries(sections).map(([name, values]) => [name, Object.fromEntries(values)])
  return {
    isReadable,
    warnings,
    ...(fault !== undefined && { fault }),
    ...(Object.fromEntries(lists) as Record<Section, object>),
  }
}
const changed = (text: string | undefined, ...changes: SettingsChange<Section>[]) =>
  changedSettingsFile<Section>(text, changes, schemas)

const fileText = `# A comment
version: 1
pages:
  a.md:
    emoji: 1f680 # rocket
  b.md:
    slug: bee
    other: 1
entries:
  "group: Guides":
    condition: visitor.claims.beta
`

describe('A file of settings', () => {
  it('is read by part and key', () => {
    expect(read(`\ufeff${fileText.replace('    other: 1\n', '')}`)).toEqual({
      isReadable: true,
      warnings: [],
      pages: { 'a.md': { emoji: '1f680' }, 'b.md': { slug: 'bee' } },
      entries: { 'group: Guides': { condition: 'visitor.claims.beta' } },
      files: {},
    })
  })

  it.each<[string, string, object, string[]]>([
    ['a field that is not known', 'tabs: {}\npages: {a.md: {slug: x}}', { 'a.md': { slug: 'x' } }, ['tabs']],
    [
      'an entry that is no map',
      'pages: {a.md: 1, b.md: {slug: x}}',
      { 'a.md': { condition: 'false' }, 'b.md': { slug: 'x' } },
      ['of a.md are not a map'],
    ],
    ['a setting that is not known', 'pages: {a.md: {slug: x, bad: 1}}', { 'a.md': { slug: 'x' } }, ['bad of a.md']],
    [
      'a value that cannot be used',
      'pages: {a.md: {emoji: toolong, slug: x}}',
      { 'a.md': { slug: 'x' } },
      ['emoji of'],
    ],
    [
      'a condition that is no text',
      'pages: {a.md: {condition: [1]}}',
      { 'a.md': { condition: 'false' } },
      ['no visitor'],
    ],
    [
      'a condition that is too long',
      `pages: {a.md: {condition: ${'x'.repeat(21)}}}`,
      { 'a.md': { condition: 'false' } },
      ['no visitor'],
    ],
    [
      'names of JavaScript',
      'pages: {a.md: {__proto__: 1, constructor: 1, slug: 2}}',
      { 'a.md': { slug: '2' } },
      ['__proto__', 'constructor'],
    ],
    [
      'a condition that YAML reads as a boolean',
      'pages: {a.md: {condition: true}}',
      { 'a.md': { condition: 'true' } },
      [],
    ],
  ])('with %s is read as far as it can be', (_title, text, pages, messages) => {
    const { warnings, ...settings } = read(`version: 1\n${text}\n`)
    expect(settings).toMatchObject({ isReadable: true, pages })
    expect(warnings).toEqual(
      messages.map(message => expect.objectContaining({ message: expect.stringContaining(message) })),
    )
  })

  it.each(['', 'a: [', '- 1', 'version: 2\npages: {}', 'title: Mine'])('is not %j', text => {
    expect(read(text)).toMatchObject({ isReadable: false, pages: {}, warnings: [{ path: 'recto.yaml' }] })
  })

  it.each(['a: [', 'version: 1\npages: [1]', 'version: 1\nentries:'])('cannot be read as a whole: %j', text => {
    const fault = expect.stringContaining('The settings cannot be read')
    expect(read(text)).toMatchObject({ isReadable: false, fault, warnings: [{ message: fault }] })
  })

  it('warns a hundred times at most', () => {
    const many = Array.from({ length: 200 }, (_, at) => `  ${at}.md: 1`).join('\n')
    expect(read(`version: 1\npages:\n${many}\n`).warnings).toHaveLength(100)
  })
})

describe('A change of settings', () => {
  it('writes a file of its own, and none when there is nothing to write', () => {
    const text = changed(
      undefined,
      { section: 'pages', key: 'a.md', values: { emoji: '1f680' } },
      { section: 'entries', key: 'link: A', values: { hidden: true } },
    )
    expect(text).toMatch(
      /^# .*\nversion: 1\npages:\n {2}a\.md:\n {4}emoji: 1f680\nentries:\n {2}"link: A":\n {4}hidden: true\n$/,
    )
    expect(read(text ?? '')).toMatchObject({ isReadable: true, warnings: [] })
    expect(changed(undefined, { section: 'pages', key: 'a.md', values: {} })).toBeUndefined()
  })

  it.each<[string, SettingsChange<Section>, string]>([
    ['of a value', { section: 'pages', key: 'a.md', values: { emoji: '1f4d8' } }, fileText.replace('1f680', '1f4d8')],
    [
      'that adds a setting',
      { section: 'pages', key: 'a.md', values: { emoji: '1f680', slug: 'x' } },
      fileText.replace('rocket\n', 'rocket\n    slug: x\n'),
    ],
    [
      'that adds a page',
      { section: 'pages', key: 'c.md', values: { slug: 'x' } },
      fileText.replace('other: 1\n', 'other: 1\n  c.md:\n    slug: x\n'),
    ],
    [
      'that adds a part',
      { section: 'files', key: 'a.png', values: { name: 'b.png' } },
      `${fileText}files:\n  a.png:\n    name: b.png\n`,
    ],
    [
      'that removes a page',
      { section: 'pages', key: 'a.md', values: {} },
      fileText.replace('  a.md:\n    emoji: 1f680 # rocket\n', ''),
    ],
    [
      'that removes the last entry of a part',
      { section: 'entries', key: 'group: Guides', values: {} },
      fileText.replace(/entries:[^]*/, ''),
    ],
    [
      'that leaves what is not known',
      { section: 'pages', key: 'b.md', values: {} },
      fileText.replace('    slug: bee\n', ''),
    ],
  ])('%s changes its lines alone', (_title, change, expected) => {
    expect(changed(fileText, change)).toBe(expected)
    const windows = fileText.replaceAll('\n', '\r\n')
    expect(changed(windows, change)).toBe(expected.replaceAll('\n', '\r\n'))
  })

  it('is none when the file says it already', () =>
    expect(changed(fileText, { section: 'pages', key: 'a.md', values: { emoji: '1f680' } })).toBeUndefined())

  it('that removes all there is deletes the file', () => {
    const text = 'version: 1\npages:\n  a.md:\n    slug: x\n'
    expect(changed(text, { section: 'pages', key: 'a.md', values: {} })).toBeNull()
  })

  it('is made where lines cannot say it', () => {
    const flow = '# kept\nversion: 1\npages: {a.md: {slug: x}}\n'
    const text = changed(flow, { section: 'pages', key: 'b.md', values: { slug: 'y' } }) ?? ''
    expect(text).toContain('# kept')
    expect(read(text)).toMatchObject({ pages: { 'a.md': { slug: 'x' }, 'b.md': { slug: 'y' } }, warnings: [] })
  })
})

it.each(['__proto__', 'constructor', 'toString'])(
  'Settings of an entry called %s are written, changed and removed',
  name => {
    const restrict = (condition: string) => ({ section: 'entries' as const, key: name, values: { condition } })
    const first = changed(undefined, restrict('a == 1')) ?? ''
    expect(read(first).entries).toEqual(Object.fromEntries([[name, { condition: 'a == 1' }]]))
    const second = changed(first, restrict('a == 2')) ?? ''
    expect(read(second).entries).toEqual(Object.fromEntries([[name, { condition: 'a == 2' }]]))
    expect(changed(second, { section: 'entries', key: name, values: {} })).toBeNull()
  },
)
