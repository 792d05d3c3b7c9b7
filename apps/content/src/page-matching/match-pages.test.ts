import fc from 'fast-check'
import { describe, expect, test } from '@jest/globals'
import { slugSet } from '@recto/repository-format'
import { build } from '../content-map/content-map.ts'
import type { PageRecord } from '../revisions/records.ts'
import { matchPages } from './match-pages.ts'
import type { SourcePage } from './match-pages.ts'

const before = '2026-01-01T00:00:00.000Z'
const now = '2026-02-02T00:00:00.000Z'

/** A page with its path in the repository and its content. */
const file = (path: string, text: string, pages: SourcePage[] = []): SourcePage => ({
  type: 'document',
  title: path,
  slug: path.replaceAll('/', '-'),
  document: text,
  git: { path, oid: `oid of ${text}` },
  pages,
})
const group = (title: string, pages: SourcePage[] = []): SourcePage => ({ type: 'group', title, slug: title, pages })
const link = (title: string, href: string): SourcePage => ({ type: 'link', title, href, pages: [] })

let made = 0
const newId = () => `n${++made}`
function importPages(sourcePages: SourcePage[], previous: PageRecord[] = [], time = before): PageRecord[] {
  return matchPages(sourcePages, previous, { newId, now: time, root: '' })
}

/** The result of an import: each page's title, or its file's name, with its previous id or "new". */
function fates(first: SourcePage[], second: SourcePage[]): Record<string, string> {
  const previous = importPages(first)
  const names = new Map(previous.map(record => [record.id, record.git?.path ?? record.title]))
  return Object.fromEntries(importPages(second, previous, now).map(({ id, title }) => [title, names.get(id) ?? 'new']))
}

type Case = [what: string, imports: [first: SourcePage[], second: SourcePage[]], fates: Record<string, string>]

describe('a page keeps its id', () => {
  const cases: Case[] = [
    ['when its file is edited', [[file('a', '1')], [file('a', '2')]], { a: 'a' }],
    ['when its file is renamed', [[file('a', '1')], [file('b', '1')]], { b: 'a' }],
    [
      'when its file moves below another page',
      [[file('a', '1'), file('b', '2')], [file('a', '1', [file('d/b', '2')])]],
      { a: 'a', 'd/b': 'b' },
    ],
    [
      'when two files swap their content: the path decides',
      [
        [file('a', '1'), file('b', '2')],
        [file('a', '2'), file('b', '1')],
      ],
      { a: 'a', b: 'b' },
    ],
    [
      'when two files swap their places in the tree',
      [
        [file('a', '1'), file('b', '2')],
        [file('b', '2'), file('a', '1')],
      ],
      { a: 'a', b: 'b' },
    ],
    [
      'when it is renamed beside an equal file that stays',
      [
        [file('a', '1'), file('b', '1')],
        [file('a', '1'), file('c', '1')],
      ],
      { a: 'a', c: 'b' },
    ],
    [
      'when another file is now at its old path: the path takes precedence',
      [[file('a', '1')], [file('a', '2'), file('b', '1')]],
      { a: 'a', b: 'new' },
    ],
    [
      'when it is a group with other pages in it',
      [[group('G', [file('a', '1')])], [group('G', [file('b', '2')])]],
      { G: 'G', b: 'new' },
    ],
    ['when it is a link that leads elsewhere', [[link('L', 'https://x')], [link('L', 'https://y')]], { L: 'L' }],
    [
      'when it is a link in a page that was renamed',
      [[file('a', '1', [link('L', 'https://x')])], [file('b', '1', [link('L', 'https://x')])]],
      { b: 'a', L: 'L' },
    ],
  ]
  test.each(cases)('A page keeps its id: %s', (_what, imports, expected) => expect(fates(...imports)).toEqual(expected))
})

describe('a page gets a new id', () => {
  const cases: Case[] = [
    ['when its file is renamed and edited at once', [[file('a', '1')], [file('b', '2')]], { b: 'new' }],
    ['when its content came from two equal files', [[file('a', '1'), file('b', '1')], [file('c', '1')]], { c: 'new' }],
    [
      'when its content went to two equal files',
      [[file('a', '1')], [file('b', '1'), file('c', '1')]],
      { b: 'new', c: 'new' },
    ],
    ['when it is a group of another title', [[group('G')], [group('H')]], { H: 'new' }],
    [
      'when it is a link below another page',
      [
        [file('a', '1', [link('L', 'u')]), file('b', '2')],
        [file('a', '1'), file('b', '2', [link('L', 'u')])],
      ],
      { a: 'a', b: 'b', L: 'new' },
    ],
    ['when it is a link that was a group', [[group('G')], [link('G', 'u')]], { G: 'new' }],
    [
      'when it has no file and the one before had',
      [[file('a', '1')], [{ ...group('a'), type: 'document' }]],
      { a: 'new' },
    ],
  ]
  test.each(cases)('A page gets a new id: %s', (_what, imports, expected) =>
    expect(fates(...imports)).toEqual(expected),
  )
})

test('A page created here matches the file of its export', () => {
  const createdPage: PageRecord = {
    id: 'here',
    type: 'document',
    title: 'T',
    parent: null,
    order: 'a0',
    slug: 't',
    document: '1',
    createdAt: before,
    updatedAt: before,
  }
  expect(importPages([file('t.md', '1')], [createdPage])[0]?.id).toBe('here')
})

test('Links that differ only in their target keep their ids by position', () => {
  const links = [link('L', 'https://x'), link('L', 'https://y'), link('L', 'https://z')]
  const previous = importPages(links)
  expect(importPages(links, previous.toReversed(), now)).toEqual(previous)
})

test('No id is assigned twice, even when two entries name one file', () => {
  const ids = importPages([file('a', '1'), file('a', '1')], importPages([file('a', '1')])).map(record => record.id)
  expect(new Set(ids).size).toBe(2)
})

test('A page that was edited here keeps its id when its file is renamed as it was in the last commit', () => {
  const committedPages = importPages([file('a', '1')])
  const previous = committedPages.map(record => ({ ...record, document: 'edited' }))
  const pages = new Map(committedPages.map(record => [record.id, record]))
  const matching = { newId, now, root: '', last: { pages, hasAllSettings: false, kept: {} } }
  expect(matchPages([file('b', '1')], previous, matching)[0]?.id).toBe(previous[0]?.id)
})

describe('a page that replaces another one of its title and parent', () => {
  const restricted = { condition: 'visitor.claims.vip', hidden: true }
  const titled = (path: string, pages: SourcePage[] = []) => ({ ...file(path, path, pages), title: 'T' })
  const text = (title: string): SourcePage => ({ ...group(title), type: 'document' })
  test.each<[string, SourcePage[], SourcePage[], object]>([
    ['of another file with another text', [titled('a')], [titled('b')], restricted],
    ['that was a group', [group('T')], [titled('b')], restricted],
    ['that was an entry without file', [text('T')], [titled('b')], restricted],
    ['that had a file', [titled('a')], [text('T')], restricted],
    ['below one that replaces a group', [group('T', [text('T')])], [titled('b', [titled('c')])], restricted],
    ['not where there are two', [titled('a')], [titled('b'), titled('c')], {}],
    ['not below another page', [titled('a')], [file('b', '2', [titled('c')])], {}],
  ])('A page keeps settings of the page that it replaces: %s', (_what, first, second, expected) => {
    const previous = importPages(first).map(record => ({ ...record, ...restricted }))
    const { condition, hidden } = importPages(second, previous, now).at(-1) ?? {}
    expect({ ...(condition && { condition }), ...(hidden && { hidden }) }).toEqual(expected)
  })
})

describe('times and order', () => {
  const previous = importPages([file('a', '1'), file('b', '2'), file('c', '3')])
  const after = importPages([file('a', '1'), file('new', '4'), file('b', '9'), file('c', '3')], previous, now)
  const of = (title: string) => after.find(record => record.title === title)

  test('Times and order of an unchanged page do not change', () =>
    expect([of('a'), of('c')]).toEqual([previous[0], previous[2]]))
  test('An edited page keeps its creation time and its order', () => {
    expect(of('b')).toMatchObject({ createdAt: before, updatedAt: now, order: previous[1]?.order })
  })
  test('A new page has the time of its import', () =>
    expect(of('new')).toMatchObject({ createdAt: now, updatedAt: now }))
  test('Pages have the order of their import', () => {
    const byOrder = after.toSorted((a, b) => (a.order < b.order ? -1 : 1))
    expect(byOrder.map(record => record.title)).toEqual(['a', 'new', 'b', 'c'])
  })
})

describe('a slug that was set by hand', () => {
  const slugged = (path: string, slug: string): SourcePage => ({ ...file(path, path), slug })
  const slugsAfter = (sourcePages: SourcePage[], previous: PageRecord[]) =>
    Object.fromEntries(importPages(sourcePages, previous, now).map(({ title, slug }) => [title, slug]))

  test.each<[string, SourcePage[], Record<string, string>]>([
    ['stays', [slugged('a.md', 'a'), slugged('b.md', 'b')], { 'a.md': 'mine', 'b.md': 'b' }],
    ['stays when its file is renamed', [{ ...slugged('c.md', 'c'), document: 'a.md' }], { 'c.md': 'mine' }],
    [
      'stays beside a file of this name, which gets a number',
      [slugged('mine.md', 'mine'), slugged('a.md', 'a')],
      { 'mine.md': 'mine-1', 'a.md': 'mine' },
    ],
  ])('A slug that was set by hand %s', (_what, sourcePages, slugs) => {
    const [page] = importPages([slugged('a.md', 'a')])
    expect(slugsAfter(sourcePages, page ? [{ ...page, slug: 'mine' }] : [])).toEqual(slugs)
  })

  test('A slug that a file gave a page is not kept as one that was set by hand', () => {
    const previous = importPages([slugged('a.md', 'a')])
    expect(slugsAfter([{ ...slugged('c.md', 'c'), document: 'a.md' }], previous)).toEqual({ 'c.md': 'c' })
  })

  test('A slug that was set by hand stays with one of two pages that come together', () => {
    const previous = importPages([{ ...slugged('a.md', 'a'), pages: [slugged('b.md', 'b')] }])
    const both = previous.map(record => ({ ...record, slug: 'mine' }))
    const slugs = slugsAfter([slugged('a.md', 'a'), slugged('b.md', 'b')], both)
    expect(slugs).toEqual({ 'a.md': 'mine', 'b.md': 'b' })
  })
})

describe('any import', () => {
  const text = fc.constantFrom('1', '2', '3')
  /** Pages with slugs that are unique among siblings, as an importer sets them. */
  const withSlugs = (sourcePages: SourcePage[]): SourcePage[] => {
    const free = slugSet()
    return sourcePages.map(({ slug, ...page }) => {
      const own = slug === undefined ? {} : { slug: free(slug.toLowerCase()) }
      return { ...page, ...own, pages: withSlugs(page.pages) }
    })
  }
  const { tree: anyTree } = fc.letrec<{ tree: SourcePage[]; node: SourcePage }>(tie => ({
    tree: fc.array(tie('node'), { maxLength: 4, depthIdentifier: 'pages' }),
    node: fc.oneof(
      { depthIdentifier: 'pages', maxDepth: 3 },
      fc.tuple(fc.nat(9), text).map(([at, content]) => file(`f${at}`, content)),
      fc.tuple(fc.nat(9), text, tie('tree')).map(([at, content, pages]) => file(`f${at}`, content, pages)),
      fc.tuple(fc.constantFrom('G', 'H'), tie('tree')).map(([title, pages]) => group(title, pages)),
      fc.constantFrom('x', 'y').map(href => link('L', href)),
    ),
  }))
  const tree = anyTree.map(withSlugs)
  const rootOf = (records: PageRecord[]) => build(records.map(record => [record.id, record])).root

  test('An import of the same set changes no id and yields the same root', () => {
    fc.assert(
      fc.property(tree, tree, (history, sourcePages) => {
        const previous = importPages(sourcePages, importPages(history))
        const noNewId = () => {
          throw new Error('a new id was asked for')
        }
        expect(rootOf(matchPages(sourcePages, previous, { newId: noNewId, now, root: '' }))).toBe(rootOf(previous))
        expect(rootOf(matchPages(sourcePages, previous.toReversed(), { newId: noNewId, now, root: '' }))).toBe(
          rootOf(previous),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('An import keeps slugs that were set by hand unique among siblings, however often', () => {
    const byHand = fc.array(fc.constantFrom(undefined, 'f1', 'g', 'mine'), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(tree, tree, byHand, (history, sourcePages, slugs) => {
        const previous = importPages(history).map((record, at) => {
          const slug = slugs[at % slugs.length]
          return record.slug === undefined || slug === undefined ? record : { ...record, slug }
        })
        const records = importPages(sourcePages, previous, now)
        const places = records.flatMap(({ slug, parent }) => (slug === undefined ? [] : [`${parent}/${slug}`]))
        expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
        expect(rootOf(importPages(sourcePages, records, now))).toBe(rootOf(records))
      }),
      { numRuns: 500 },
    )
  })

  test('An import assigns every page a unique id and an existing parent', () => {
    fc.assert(
      fc.property(tree, tree, (history, sourcePages) => {
        const records = importPages(sourcePages, importPages(history))
        const ids = new Set(records.map(record => record.id))
        expect(ids.size).toBe(records.length)
        for (const { parent } of records) expect(parent === null || ids.has(parent)).toBe(true)
      }),
    )
  })
})
