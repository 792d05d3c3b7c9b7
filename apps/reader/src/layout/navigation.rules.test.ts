import { expect, it, test } from '@jest/globals'
import type { Page } from '../api/types.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { maxEntries, navigationOf, type NavigationEntry } from './navigation.rules.ts'

const page = (id: string, pages: Page[] = [], more: object = {}) =>
  ({ id, type: 'document', path: id, title: id, pages, ...more }) as unknown as Page
const treePageOf = (page: Page, ...above: Page[]) => ({ page, above }) as TreePage

/** As text: `*` is current, `+` is open, what is below stands in parentheses. */
const textOf = (entries: readonly NavigationEntry[]): string =>
  entries
    .map(({ page, isCurrent, isOpen, below }) => {
      const mark = isCurrent ? '*' : isOpen ? '+' : ''
      return `${page.id}${mark}${below ? `(${textOf(below)})` : ''}`
    })
    .join(' ')

const child = page('child')
const parent = page('parent', [child, page('other')])
const hidden = page('hidden', [page('below')], { hidden: true })
const pages = [
  parent,
  hidden,
  page('group', [page('in group')], { type: 'group' }),
  page('computed', [], { type: 'computed' }),
  page('link', [], { type: 'link' }),
]

test.each([
  ['no page', undefined, 'parent(child other) group(in group) link'],
  ['a page', treePageOf(parent), 'parent*(child other) group(in group) link'],
  ['a page below another', treePageOf(child, parent), 'parent+(child* other) group(in group) link'],
  ['a hidden page', treePageOf(hidden), 'parent(child other) hidden*(below) group(in group) link'],
])('the navigation at %s', (_what, current, expected) => expect(textOf(navigationOf(pages, current))).toBe(expected))

it('shows only the way to the current page of a long navigation, and what is in groups', () => {
  const below = page('0 below')
  const first = page('0', [below])
  const others = Array.from({ length: maxEntries - 1 }, (_, at) => page(`${at + 1}`, [page(`${at + 1} below`)]))
  const many = [first, ...others]
  const entries = navigationOf(
    [...many, page('group', [page('in group')], { type: 'group' })],
    treePageOf(below, first),
  )
  const openGroups = entries.filter(({ below }) => below).map(entry => textOf([entry]))
  expect([entries.length, openGroups]).toEqual([maxEntries + 1, ['0+(0 below*)', 'group(in group)']])
})
