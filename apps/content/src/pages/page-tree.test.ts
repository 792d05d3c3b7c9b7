import fc from 'fast-check'
import { describe, expect, test } from '@jest/globals'
import type { PageRecord } from '../revisions/records.ts'
import { indexPages } from './page-tree.ts'

const time = '2026-01-01T00:00:00.000Z'

function page(id: string, parent: string | null = null, more: Partial<PageRecord> = {}): PageRecord {
  return { id, type: 'document', title: id, parent, order: 'a0', slug: id, createdAt: time, updatedAt: time, ...more }
}

const ids = (records: PageRecord[]) => records.map(record => record.id)

describe('order', () => {
  test('Pages are ordered by fractional index among siblings, whatever the order of the records', () => {
    const records = [
      page('c', null, { order: 'a2' }),
      page('a2', 'a', { order: 'a1' }),
      page('b', null, { order: 'a1' }),
      page('a', null, { order: 'a0' }),
      page('a1', 'a', { order: 'a0' }),
    ]
    const index = indexPages(records)
    expect(ids(index.inOrder())).toEqual(['a', 'a1', 'a2', 'b', 'c'])
    expect([ids(index.roots), ids(index.childrenOf('a')), ids(index.childrenOf('b'))]).toEqual([
      ['a', 'b', 'c'],
      ['a1', 'a2'],
      [],
    ])
    expect(ids(indexPages(records.toReversed()).inOrder())).toEqual(ids(index.inOrder()))
  })

  test('Pages with equal indexes are ordered by id', () =>
    expect(ids(indexPages([page('b'), page('a'), page('c')]).roots)).toEqual(['a', 'b', 'c']))

  test('Indexes of pages are compared by code unit, as fractional indexing requires', () => {
    expect(ids(indexPages([page('low', null, { order: 'a0' }), page('up', null, { order: 'Zz' })]).roots)).toEqual([
      'up',
      'low',
    ])
  })
})

describe('a path', () => {
  const index = indexPages([
    page('g', null, { type: 'group', slug: 'guides' }),
    page('p', 'g', { slug: 'start', order: 'a0' }),
    page('q', 'p', { slug: 'linux' }),
    page('l', 'g', { type: 'link', order: 'a1' }),
    page('dup', 'g', { slug: 'start', order: 'a2' }),
  ])

  test.each([
    ['g', 'guides'],
    ['p', 'guides/start'],
    ['q', 'guides/start/linux'],
    ['nobody', ''],
  ])('The path of %s is %j: every ancestor adds its slug, groups too', (id, path) =>
    expect(index.pathOf(id)).toBe(path),
  )

  test.each([
    ['guides/start/linux', 'q'],
    ['guides/start', 'p'],
    ['guides/nothing', undefined],
    ['', undefined],
  ])('The path %j leads to %s, the first in the tree', (path, id) => expect(index.byPath(path)?.id).toBe(id))

  test('An entry without a slug adds nothing to a path, and has none', () => {
    const link: PageRecord = {
      id: 'link',
      type: 'link',
      title: 'Link',
      parent: null,
      order: 'a0',
      createdAt: time,
      updatedAt: time,
    }
    const withLink = indexPages([link, page('below', 'link')])
    expect([withLink.pathOf('below'), withLink.byPath('below')?.id, withLink.byPath('')]).toEqual([
      'below',
      'below',
      undefined,
    ])
  })
})

describe('no page is lost', () => {
  const cases: [what: string, records: PageRecord[], expected: { roots: string[]; order: string[] }][] = [
    ['an orphan goes to the root', [page('a', 'gone'), page('b', 'a')], { roots: ['a'], order: ['a', 'b'] }],
    ['its own parent', [page('a', 'a'), page('b', 'a')], { roots: ['a'], order: ['a', 'b'] }],
    ['a cycle of two', [page('a', 'b'), page('b', 'a')], { roots: ['a', 'b'], order: ['a', 'b'] }],
    [
      'pages below a cycle stay there',
      [page('a', 'b'), page('b', 'a'), page('c', 'b'), page('d', 'c')],
      { roots: ['a', 'b'], order: ['a', 'b', 'c', 'd'] },
    ],
  ]
  test.each(cases)('No page is lost: %s', (_what, records, expected) => {
    const index = indexPages(records)
    expect({ roots: ids(index.roots), order: ids(index.inOrder()) }).toEqual(expected)
  })

  const record = fc.tuple(fc.nat(15), fc.option(fc.nat(20), { nil: null }), fc.constantFrom('a0', 'a1', 'a2'))
  const records = fc
    .uniqueArray(record, { selector: ([id]) => id, maxLength: 16 })
    .map(all => all.map(([id, parent, order]) => page(`p${id}`, parent === null ? null : `p${parent}`, { order })))

  test('Each page is in the tree once, after its parent, even with invalid parents', () => {
    fc.assert(
      fc.property(records, all => {
        const index = indexPages(all)
        const order = ids(index.inOrder())
        expect(order.toSorted()).toEqual(ids(all).toSorted())
        for (const [at, id] of order.entries())
          for (const child of index.childrenOf(id)) expect(order.indexOf(child.id)).toBeGreaterThan(at)
      }),
    )
  })

  test('The tree does not depend on the order of the records', () => {
    const shuffled = records.chain(all =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    )
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        const a = indexPages(one)
        const b = indexPages(other)
        expect(ids(b.inOrder())).toEqual(ids(a.inOrder()))
        expect(one.map(({ id }) => b.pathOf(id))).toEqual(one.map(({ id }) => a.pathOf(id)))
      }),
    )
  })

  test('A deep tree of pages causes no stack overflow', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) =>
      page(`p${at}`, at === 0 ? null : `p${at - 1}`, { slug: 's' }),
    )
    expect(indexPages(chain).inOrder()).toHaveLength(20_000)
    const ring = chain.with(0, page('p0', 'p19999'))
    expect(indexPages(ring).roots).toHaveLength(20_000)
  })
})

describe('an updated tree', () => {
  const pages = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 0, max: 12 }).map(at => `p${at}`),
      parent: fc.option(fc.integer({ min: 0, max: 12 }).map(at => `p${at}`)),
      order: fc.constantFrom('a0', 'a1', 'a2'),
      slug: fc.constantFrom('x', 'y', 'z'),
      title: fc.constantFrom('one', 'two'),
    }),
    { selector: ({ id }) => id },
  )
  const view = (index: ReturnType<typeof indexPages>) => ({
    size: index.size,
    order: index.inOrder(),
    roots: index.roots,
    paths: index.inOrder().map(({ id }) => [index.pathOf(id), index.byPath(index.pathOf(id))?.id]),
    children: index.inOrder().map(({ id }) => index.childrenOf(id)),
  })

  test('An updated tree equals one that is built from scratch, and leaves the one before as it was', () =>
    fc.assert(
      fc.property(pages, pages, (first, second) => {
        const [before, after] = [first, second].map(
          all => new Map(all.map(({ id, parent, ...more }) => [id, page(id, parent, more)])),
        )
        const ids = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
        const changes = ids.map(id => {
          const old = before?.get(id)
          const now = after?.get(id)
          return { id, ...(old && { before: old }), ...(now && { after: now }) }
        })
        const index = indexPages(before?.values() ?? [])
        const unchanged = JSON.stringify(view(index))
        expect(view(index.update(changes))).toEqual(view(indexPages(after?.values() ?? [])))
        expect(JSON.stringify(view(index))).toBe(unchanged)
      }),
    ))

  test('An updated tree shares what it can when only a title has changed', () => {
    const records = [page('a'), page('b', 'a')]
    const renamed = page('b', 'a', { title: 'B' })
    const index = indexPages(records).update([{ id: 'b', before: records[1] as PageRecord, after: renamed }])
    expect([index.get('b')?.title, index.byPath('a/b')?.title, index.pathOf('b')]).toEqual(['B', 'B', 'a/b'])
  })
})
