import { describe, expect, test } from '@jest/globals'
import type { Resolution } from './conflict.ts'
import { hashOf, treeOf, withText } from './test/contents.ts'
import { newPage, markdown, mergePages, set, write, type Edits } from './test/page-edits.ts'

describe('resolutions', () => {
  test('A text settles the lines of a conflict, and its front matter the settings', () => {
    const own = '---\ndescription: Mine\n---\n\n# Mine\n'
    const { content, conflicts, refused, documents } = mergePages({ a: write('# A\n') }, { a: write('# B\n') }, [
      { page: 'a', markdown: own },
    ])
    expect([conflicts, refused]).toEqual([[], []])
    expect(content.pages.get('a')).toMatchObject({ document: hashOf(own), description: 'Mine', file: 'a.md' })
    expect(documents.map(({ bytes }) => bytes.toString())).toEqual([own])
  })

  test('A text keeps a page that the other side deleted, with its ancestors', () => {
    const resolutions = [{ page: 'c', markdown: '# Kept\n' }]
    const { content, conflicts, refused } = mergePages(
      { a: null, b: null, c: null },
      { c: write('# C\n') },
      resolutions,
    )
    expect([conflicts, refused]).toEqual([[], []])
    expect(treeOf(content).pathOf('c')).toBe('a/b/c')
    expect(markdown(content.pages.get('c'))).toBe('# Kept\n')
  })

  test('A side beside a text settles the rest of a conflict', () => {
    const main: Edits = { a: before => withText({ ...before, title: 'A' }, '# A\n') }
    const changeRequest: Edits = { a: before => withText({ ...before, title: 'B' }, '# B\n') }
    const own = { page: 'a', markdown: '# Mine\n' }
    expect(mergePages(main, changeRequest, [own]).conflicts).toMatchObject([{ kind: 'field', field: 'title' }])
    const { content, conflicts, refused } = mergePages(main, changeRequest, [
      own,
      { page: 'a', take: 'change-request' },
    ])
    expect([conflicts, refused]).toEqual([[], []])
    expect(content.pages.get('a')).toMatchObject({ title: 'B', document: hashOf('# Mine\n') })
  })

  test('A page that is kept keeps those above it, also when their deletion was taken', () => {
    const { content, conflicts } = mergePages(
      { a: null, b: null, c: null },
      { b: set({ title: 'B' }), c: set({ title: 'C' }) },
      [
        { page: 'b', take: 'main' },
        { page: 'c', take: 'change-request' },
      ],
    )
    expect(conflicts).toEqual([])
    expect(treeOf(content).pathOf('c')).toBe('a/b/c')
  })

  test('Resolutions that settle nothing or have faults are refused, and conflicts without one stay', () => {
    const faulty: Resolution = { page: 'a', markdown: '---\ntitle: [\n---\n' }
    const useless: Resolution[] = [
      { page: 'b', take: 'main' },
      { page: 'none', markdown: '' },
      { variable: 'v', take: 'main' },
    ]
    const { conflicts, refused } = mergePages(
      { a: write('# A\n'), d: set({ title: 'A' }) },
      { a: write('# B\n'), d: set({ title: 'B' }) },
      [faulty, ...useless],
    )
    expect(conflicts).toMatchObject([{ page: 'd', field: 'title' }])
    expect(refused).toEqual([
      { resolution: faulty, reason: expect.stringContaining('front matter') },
      ...useless.map(resolution => ({ resolution, reason: 'settles no conflict' })),
    ])
  })

  test('Resolutions that name a conflict twice are refused but for the first', () => {
    const first: Resolution = { page: 'a', take: 'main' }
    const second: Resolution = { page: 'a', take: 'change-request' }
    const { content, refused } = mergePages({ a: set({ title: 'A' }) }, { a: set({ title: 'B' }) }, [
      first as Resolution,
      second as Resolution,
    ])
    expect(content.pages.get('a')?.title).toBe('A')
    expect(refused).toEqual([{ resolution: second, reason: 'is given twice' }])
  })

  test('Conflicts are listed in the order of the tree, new pages last', () => {
    const { conflicts } = mergePages(
      { d: set({ title: '1' }), a: set({ title: '1' }), c: set({ title: '1' }), n: newPage('n', { slug: 'new' }) },
      { o: newPage('o', { slug: 'new' }), c: set({ title: '2' }), d: set({ title: '2' }), a: set({ title: '2' }) },
    )
    expect(conflicts.map(({ page: id }) => id)).toEqual(['a', 'c', 'd', 'o'])
  })
})
