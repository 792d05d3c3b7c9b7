import { describe, expect, it } from '@jest/globals'
import type { FileRecord, PageRecord } from '../revisions/records.ts'
import { committedSettings, keptName, keptSettings, keptSlug, keptTitle } from './kept-settings.rules.ts'

const record = (fields: Partial<PageRecord> = {}): PageRecord => ({
  id: 'a',
  type: 'document',
  title: 'Title',
  slug: 'title',
  parent: null,
  order: 'a0',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...fields,
})
const git = { path: 'a.md', oid: 'oid' }
const settings = { emoji: '1f680', icon: 'leaf', condition: 'beta', hidden: true }
const flags = { noIndex: true, noRobotsIndex: true }
const ofEntry = { ...settings, ...flags, linkTitle: 'Short', description: 'About' }
const { description: _description, ...ofGroup } = ofEntry
const ofPage = {
  ...ofEntry,
  cover: { yPos: 0 },
  layout: { width: 'wide' as const },
  variables: { product: 'Recto' },
  tags: [{ tag: 'guide' }],
  metaLinks: { canonical: 'other.md' },
}

describe('A page that is imported again keeps', () => {
  it.each<[string, Parameters<typeof keptSettings>[0], PageRecord | undefined, object]>([
    ['nothing when it is new', { type: 'document', git }, undefined, {}],
    ['its emoji, its cover and all settings', { type: 'document', git }, record({ git, ...ofPage }), ofPage],
    ['all settings of a group', { type: 'group' }, record({ type: 'group', ...settings }), settings],
    ['all settings of a link', { type: 'link' }, record({ type: 'link', ...settings }), settings],
    ['all settings of an entry without file', { type: 'document' }, record(settings), settings],
    ['all settings when it got a file', { type: 'document', git }, record(settings), settings],
    ['those that an entry can have when it lost its file', { type: 'document' }, record({ git, ...ofPage }), ofEntry],
    ['those that it can have when its type changed', { type: 'group' }, record({ git, ...ofPage }), ofGroup],
    ['no flag that is false', { type: 'document', git }, record({ git, hidden: false }), {}],
    [
      'what the repository does not say otherwise',
      { type: 'group', icon: 'tree', hidden: false },
      record({ type: 'group', ...settings }),
      { emoji: '1f680', condition: 'beta' },
    ],
  ])('A page that is imported again keeps %s', (_what, imported, before, expected) =>
    expect(keptSettings(imported, before)).toEqual(expected),
  )
})

describe('A page that is imported again from a repository whose last commit had all of its settings', () => {
  const committedSides = [
    { kind: 'group', imported: { type: 'group' as const } },
    { kind: 'page with a file', imported: { type: 'document' as const, git } },
  ]
  const cases: [string, Partial<PageRecord>, object][] = [
    ['loses those that this commit lacks, but for its condition', settings, { condition: 'beta' }],
    ['keeps one that was set since', { ...settings, emoji: '1f4d8' }, { emoji: '1f680', condition: 'beta' }],
    ['keeps those of which it had none', {}, settings],
  ]
  it.each(committedSides.flatMap(side => cases.map(([what, last, expected]) => ({ ...side, what, last, expected }))))(
    'A $kind with synchronised settings, imported again, $what',
    ({ imported, last, expected }) => {
      const committed = committedSettings(imported, record({ ...imported, ...last }), { hasAllSettings: true })
      expect(keptSettings(imported, record({ ...imported, ...settings }), committed)).toEqual(expected)
    },
  )
  it('A page that became another type keeps what the last commit had', () =>
    expect(keptSettings({ type: 'group' }, record({ git, ...settings }), settings)).toEqual(settings))
})

describe('The last commit gave a page', () => {
  const page = record({ git, ...settings })
  const group = record({ type: 'group', ...settings })
  const { emoji: _emoji, ...inText } = settings
  const { icon: _icon, hidden: _hidden, ...rest } = settings
  it.each<[string, PageRecord, PageRecord | undefined, Parameters<typeof committedSettings>[2], object]>([
    ['nothing when it was not there', page, undefined, { hasAllSettings: true }, {}],
    ['nothing when it was of another type', page, group, { hasAllSettings: true }, {}],
    ['nothing when it had no file', page, record(settings), { hasAllSettings: true }, {}],
    ['all of its settings', page, page, { hasAllSettings: true }, settings],
    ['those of its front matter, where it had not all', page, page, { hasAllSettings: false }, inText],
    ['none as a group, where it had not all', group, group, { hasAllSettings: false }, {}],
    ['none that the page kept', page, page, { hasAllSettings: true, kept: ['icon', 'hidden'] }, rest],
  ])('The last commit gave a page %s', (_what, imported, last, commit, expected) =>
    expect(committedSettings(imported, last, commit)).toEqual(expected),
  )
})

describe('A placeholder of computed pages keeps its title', () => {
  const computed = { dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } } }
  const before = record({ type: 'computed', computed, title: 'The API' })
  it.each<[string, string, PageRecord | undefined, object]>([
    ['where the repository has none', 'petstore', undefined, { title: 'The API' }],
    ['not where the repository has one', 'API', undefined, {}],
    ['not where the repository had it and has none now', 'petstore', before, {}],
  ])('A placeholder of computed pages keeps its title %s', (_what, title, synchronised, expected) =>
    expect(keptTitle({ type: 'computed', title, computed }, before, synchronised)).toEqual(expected),
  )
})

describe('A file keeps its name', () => {
  const file = { id: 'f', hash: 'h', size: 1, contentType: 'image/png', git: { path: 'a/b.png', oid: 'o' } }
  const withName = (name: string) => ({ ...file, name })
  it.each<[string, string, FileRecord | undefined, FileRecord | undefined, string | undefined]>([
    ['not when it is new', 'b.png', undefined, undefined, undefined],
    ['where the repository has none', 'b.png', withName('logo.png'), undefined, 'logo.png'],
    ['not when it was that of its path', 'b.png', withName('b.png'), undefined, undefined],
    [
      'not at another path',
      'c.png',
      { ...withName('logo.png'), git: { path: 'c.png', oid: 'o' } },
      undefined,
      undefined,
    ],
    [
      'not where the repository had it and has none now',
      'b.png',
      withName('logo.png'),
      withName('logo.png'),
      undefined,
    ],
    ['when it was set since', 'b.png', withName('logo.png'), withName('b.png'), 'logo.png'],
  ])('A file keeps its name %s', (_what, name, before, synchronised, expected) =>
    expect(keptName(withName(name), before, synchronised)).toBe(expected),
  )
})

describe('A page keeps its slug', () => {
  const renamed = { git: { path: 'renamed.md', oid: 'oid' } }
  it.each<[string, Pick<PageRecord, 'git'>, Partial<PageRecord> | undefined, string, string | undefined]>([
    ['not when it is new', { git }, undefined, '', undefined],
    ['in the same file', { git }, { git, slug: 'a' }, '', 'a'],
    ['in the same file, with its number', { git }, { git, slug: 'a-1' }, '', 'a-1'],
    ['in the same file, when it was set by hand', { git }, { git, slug: 'mine' }, '', 'mine'],
    ['as a group', {}, { type: 'group', slug: 'mine' }, '', 'mine'],
    ['not in another file, when it was that of its file', renamed, { git, slug: 'a' }, '', undefined],
    ['not in another file, when it was that with a number', renamed, { git, slug: 'a-12' }, '', undefined],
    ['not when it was that of its README', renamed, { file: 'docs/x/README.md', slug: 'x' }, 'docs', undefined],
    [
      'not when it was that of the first README',
      renamed,
      { file: 'docs/README.md', slug: 'readme' },
      'docs',
      undefined,
    ],
    [
      'in the README.md that an export made of it',
      { git: { path: 'README.md', oid: '1' } },
      { file: 'a.md', slug: 'a' },
      '',
      'a',
    ],
    [
      'not in README.md, when a repository had it elsewhere',
      { git: { path: 'README.md', oid: '1' } },
      { git, slug: 'a' },
      '',
      undefined,
    ],
    ['in another file, when it was set by hand', renamed, { git, slug: 'mine' }, '', 'mine'],
    ['in another file, when it begins as that of its file', renamed, { git, slug: 'a-mine' }, '', 'a-mine'],
  ])('A page keeps its slug %s', (_when, imported, fields, root, slug) =>
    expect(keptSlug(imported, fields && record(fields), root)).toBe(slug),
  )
})
