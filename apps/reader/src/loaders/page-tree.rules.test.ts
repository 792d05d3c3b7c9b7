import { describe, expect, it, test } from '@jest/globals'
import type { Page, Revision } from '../api/types.ts'
import { neighboursOf, pageTree, withHome } from './page-tree.rules.ts'

const document = (path: string, more: object = {}) =>
  ({ id: `id ${path}`, type: 'document', path, title: path, pages: [], ...more }) as unknown as Page
const group = (path: string, pages: Page[]) => ({ ...document(path), type: 'group', pages }) as unknown as Page
const revision = (...pages: Page[]) => ({ pages, files: [] }) as unknown as Revision

const pages = [
  document('draft', { hidden: true }),
  document('start', { pages: [document('start/linux'), document('start/Linux')] }),
  group('guides', [document('guides/secret', { hidden: true }), document('guides/first')]),
  group('empty', []),
  document('twice', { id: 'first' }),
  document('twice', { id: 'second' }),
  document('__proto__'),
]

describe('the tree of a revision', () => {
  const tree = pageTree(revision(...pages))

  it.each([
    ['', 'start', true],
    ['start', 'start', true],
    ['draft', 'draft', true],
    ['START', 'start', false],
    ['start/linux', 'start/linux', true],
    ['start/Linux', 'start/Linux', true],
    ['start/LINUX', 'start/linux', false],
    ['guides', 'guides/first', false],
    ['__proto__', '__proto__', true],
  ])('has at "%s" the page %s (exactly: %s)', (path, expected, isExact) => {
    const match = tree.at(path)
    expect([match?.treePage.page.path, match?.isExact]).toEqual([expected, isExact])
  })

  it.each(['none', 'empty', 'start/', 'constructor', 'guides/none'])('has nothing at "%s"', path =>
    expect(tree.at(path)).toBeUndefined(),
  )

  it('has the first of two pages with one path', () => expect(tree.at('twice')?.treePage.page.id).toBe('first'))

  it.each([
    [undefined, 'start'],
    ['id nothing', 'start'],
    ['id guides/first', 'guides/first'],
    ['id draft', 'draft'],
  ])('has with the home %s at its root the page %s', (home, expected) => {
    const other = withHome(tree, home)
    expect([other.home?.page.path, other.at('')?.treePage.page.path]).toEqual([expected, expected])
    expect(other.at('guides/first')?.isExact).toBe(true)
  })

  it('knows what is above a page', () =>
    expect(tree.at('start/linux')?.treePage.above.map(({ id }) => id)).toEqual(['id start']))
})

test('a revision is indexed once', () => {
  const one = revision(document('a'))
  expect(pageTree(one)).toBe(pageTree(one))
})

test.each([
  ['nothing', [], undefined],
  ['groups only', [group('a', [])], undefined],
  ['hidden pages only', [document('a', { hidden: true })], 'a'],
  ['a hidden page first', [document('a', { hidden: true }), document('b')], 'b'],
  ['a group first', [group('a', [document('a/b')])], 'a/b'],
])('the home of a space with %s', (_what, pages, home) =>
  expect(pageTree(revision(...pages)).home?.page.path).toBe(home),
)

test.each([
  ['id start', [undefined, 'start/linux']],
  ['id start/Linux', ['start/linux', 'guides/first']],
  ['id draft', [undefined, 'start']],
  ['id guides/secret', ['start/Linux', 'guides/first']],
  ['id none', [undefined, undefined]],
])('beside %s are %j', (id, expected) => {
  const { before, after } = neighboursOf(pageTree(revision(...pages)), id)
  expect([before?.path, after?.path]).toEqual(expected)
})
