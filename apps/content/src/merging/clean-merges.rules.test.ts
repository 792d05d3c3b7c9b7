import { describe, expect, test } from '@jest/globals'
import type { PageRecord } from '../revisions/records.ts'
import { hashOf, withText } from './test/contents.ts'
import {
  newPage,
  markdown,
  mergePages,
  set,
  settings,
  text,
  write,
  expectPages,
  type Edits,
} from './test/page-edits.ts'

describe('without conflict', () => {
  const cases: [name: string, main: Edits, changeRequest: Edits, expected: Record<string, object | null>][] = [
    ['other pages', { a: set({ title: 'A' }) }, { d: set({ title: 'D' }) }, { a: { title: 'A' }, d: { title: 'D' } }],
    ['other fields', { a: set({ title: 'A' }) }, { a: set({ emoji: '1f600' }) }, { a: { title: 'A', emoji: '1f600' } }],
    ['the same field alike', { a: set({ title: 'A' }) }, { a: set({ title: 'A' }) }, { a: { title: 'A' } }],
    [
      'a move and an edit',
      { b: set({ parent: null }) },
      { b: set({ title: 'B' }) },
      { b: { parent: null, title: 'B' } },
    ],
    ['the same move', { b: set({ parent: 'd' }) }, { b: set({ parent: 'd' }) }, { b: { parent: 'd' } }],
    [
      'a rename and a page below it',
      { a: set({ slug: 'x' }) },
      { n: newPage('n', { parent: 'a' }) },
      { a: { slug: 'x' }, n: { parent: 'a' } },
    ],
    [
      'a move and a page below it',
      { b: set({ parent: 'd' }) },
      { n: newPage('n', { parent: 'b' }) },
      { b: { parent: 'd' }, n: { parent: 'b' } },
    ],
    [
      'reordered apart',
      { a: set({ order: 'z' }) },
      { d: set({ order: 'y' }) },
      { a: { order: 'z' }, d: { order: 'y' } },
    ],
    [
      'inserted at one place',
      { m: newPage('m', { order: 'am' }) },
      { n: newPage('n', { order: 'am' }) },
      { m: { order: 'am' }, n: { order: 'am' } },
    ],
    ['deleted by both', { a: null, b: null, c: null }, { a: null, b: null, c: null }, { a: null, b: null, c: null }],
    [
      'deleted against untouched',
      { a: null, b: null, c: null },
      { d: set({ title: 'D' }) },
      { a: null, c: null, d: { title: 'D' } },
    ],
    [
      'deleted against a new time only',
      { d: null },
      { d: set({ updatedAt: '2026-02-02T00:00:00.000Z' }) },
      { d: null },
    ],
    ['part of a subtree deleted twice', { b: null, c: null }, { c: null }, { b: null, c: null }],
    [
      'a page moved out, its parent deleted',
      { c: set({ parent: null }) },
      { d: null },
      { c: { parent: null }, d: null },
    ],
    [
      'a swap of slugs',
      { a: set({ slug: 'd' }), d: set({ slug: 'a' }) },
      { a: set({ title: 'A' }) },
      { a: { slug: 'd', title: 'A' }, d: { slug: 'a' } },
    ],
    ['a slug that the other side frees', { d: set({ slug: 'x' }) }, { a: set({ title: 'A' }) }, { d: { slug: 'x' } }],
    [
      'a group and a page in it',
      { g: set({ title: 'G' }) },
      { n: newPage('n', { parent: 'g' }) },
      { g: { title: 'G' }, n: { parent: 'g' } },
    ],
    [
      'the target of a link',
      { link: set({ href: 'https://b.test' }) },
      { link: set({ title: 'L' }) },
      { link: { href: 'https://b.test', title: 'L' } },
    ],
    [
      'settings that a group has itself',
      { g: set({ hidden: true }) },
      { g: set({ icon: 'x' }) },
      { g: { hidden: true, icon: 'x' } },
    ],
    [
      'the later time and the earlier',
      { h: set({ title: 'H', updatedAt: '2026-03-01T00:00:00.000Z' }) },
      { h: set({ emoji: 'x', updatedAt: '2026-02-01T00:00:00.000Z' }) },
      { h: { updatedAt: '2026-03-01T00:00:00.000Z', createdAt: '2025-01-01T00:00:00.000Z' } },
    ],
    [
      'an object of the repository whose text stays',
      { h: set({ title: 'H' }) },
      { h: set({ emoji: 'x' }) },
      { h: { git: { path: 'H.md', oid: 'oid-h' } } },
    ],
    [
      'a new path and an edited text',
      { h: set({ git: { path: 'new.md', oid: 'oid-h' } }) },
      { h: write('# Other\n') },
      { h: { file: 'new.md', document: hashOf('# Other\n') } },
    ],
    [
      'an imported text and another title',
      { h: set({ document: hashOf('# Imported\n'), git: { path: 'H.md', oid: 'oid-2' } }) },
      { h: set({ title: 'H' }) },
      { h: { git: { path: 'H.md', oid: 'oid-2' }, title: 'H' } },
    ],
    [
      'another type and another title',
      { d: set({ type: 'group' }) },
      { d: set({ title: 'D' }) },
      { d: { type: 'group', title: 'D' } },
    ],
  ]
  test.each(cases)('A merge without conflict: %s', (_name, main, changeRequest, expected) => {
    for (const [one, other] of [
      [main, changeRequest],
      [changeRequest, main],
    ] as const) {
      const { content, conflicts, refused } = mergePages(one, other)
      expect({ conflicts, refused }).toEqual({ conflicts: [], refused: [] })
      expectPages(content.pages, expected)
    }
  })

  test('The text of a page is merged by line, and keeps its path but not its object', () => {
    const { content, conflicts, documents } = mergePages(
      { h: write(text.replace('First', 'FIRST')) },
      { h: write(text.replace('Third', 'THIRD')) },
    )
    const both = text.replace('First', 'FIRST').replace('Third', 'THIRD')
    expect(conflicts).toEqual([])
    expect(content.pages.get('h')).toMatchObject({ document: hashOf(both), file: 'H.md' })
    expect(content.pages.get('h')).not.toHaveProperty('git')
    expect(documents.map(({ bytes }) => bytes.toString())).toEqual([both])
  })

  test('Settings follow from the merged front matter', () => {
    const { content, conflicts } = mergePages(
      { d: write(settings.replace('Old', 'New').replace('icon: leaf\n', 'icon: leaf\ncover: https://a.test/x.png\n')) },
      { d: write(settings.replace('width: wide', 'width: default')) },
    )
    expect(conflicts).toEqual([])
    const record = content.pages.get('d')
    expect(record).toEqual(withText(record as PageRecord, markdown(record) ?? ''))
    expect(record).toMatchObject({ description: 'New', icon: 'leaf', layout: { width: 'default' } })
    expect(record).toHaveProperty('cover.ref', { kind: 'url', url: 'https://a.test/x.png' })
  })
})
