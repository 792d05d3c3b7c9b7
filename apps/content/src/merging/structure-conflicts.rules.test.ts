import { describe, expect, test } from '@jest/globals'
import { treeOf } from './test/contents.ts'
import { newPage, expectConflict, mergePages, set, type ConflictCase, type Edits } from './test/page-edits.ts'

describe('both sides change the place of a page, or what is below a deleted one', () => {
  const cases: [name: string, main: Edits, changeRequest: Edits, expected: ConflictCase][] = [
    [
      'moves below different pages',
      { c: set({ parent: 'd' }) },
      { c: set({ parent: 'g' }) },
      {
        conflict: {
          page: 'c',
          kind: 'move',
          base: { parent: 'b', path: 'a/b/c', position: 0 },
          main: { parent: 'd', path: 'd/c', position: 0 },
          changeRequest: { parent: 'g', path: 'g/c', position: 0 },
        },
        main: { c: { parent: 'd' } },
        changeRequest: { c: { parent: 'g' } },
      },
    ],
    [
      'the same page reordered',
      { a: set({ order: 'x' }) },
      { a: set({ order: 'y' }) },
      {
        conflict: { page: 'a', kind: 'move' },
        main: { a: { order: 'x' } },
        changeRequest: { a: { order: 'y' } },
      },
    ],
    [
      'deleted against edited',
      { d: null },
      { d: set({ title: 'D' }) },
      {
        conflict: { page: 'd', kind: 'deleted', base: { id: 'd' }, changeRequest: { title: 'D' } },
        main: { d: null },
        changeRequest: { d: { title: 'D' } },
      },
    ],
    [
      'edited against deleted',
      { d: set({ title: 'D' }) },
      { d: null },
      {
        conflict: { page: 'd', kind: 'deleted', base: { id: 'd' }, main: { title: 'D' } },
        main: { d: { title: 'D' } },
        changeRequest: { d: null },
      },
    ],
    [
      'deleted with a page below it that is edited',
      { a: null, b: null, c: null },
      { c: set({ title: 'C' }) },
      {
        conflict: { page: 'c', kind: 'deleted' },
        main: { a: null, b: null, c: null },
        changeRequest: { a: { title: 'Title a' }, b: { parent: 'a' }, c: { title: 'C', parent: 'b' } },
      },
    ],
    [
      'deleted against inserted below',
      { a: null, b: null, c: null },
      { n: newPage('n', { parent: 'b' }), o: newPage('o', { parent: 'n' }) },
      {
        conflict: { page: 'n', kind: 'deleted', ancestor: 'b', changeRequest: { id: 'n' } },
        main: { a: null, b: null, c: null, n: null, o: null },
        changeRequest: { a: {}, b: { parent: 'a' }, c: null, n: { parent: 'b' }, o: { parent: 'n' } },
      },
    ],
    [
      'inserted below against deleted',
      { n: newPage('n', { parent: 'b' }) },
      { a: null, b: null, c: null },
      {
        conflict: { page: 'n', kind: 'deleted', ancestor: 'b', main: { id: 'n' } },
        main: { a: {}, b: {}, c: null, n: { parent: 'b' } },
        changeRequest: { a: null, b: null, n: null },
      },
    ],
    [
      'deleted and edited against inserted below; one conflict',
      { b: null, c: null },
      { b: set({ title: 'B' }), n: newPage('n', { parent: 'b' }) },
      {
        conflict: { page: 'b', kind: 'deleted' },
        main: { b: null, n: null },
        changeRequest: { b: { title: 'B' }, n: { parent: 'b' }, c: null },
      },
    ],
    [
      'deleted against moved into it',
      { a: null, b: null, c: null },
      { d: set({ parent: 'b' }) },
      {
        conflict: { page: 'd', kind: 'deleted', ancestor: 'b' },
        main: { b: null, d: { parent: null } },
        changeRequest: { a: {}, b: {}, d: { parent: 'b' } },
      },
    ],
    [
      'deleted against moved out of it',
      { a: null, b: null, c: null },
      { c: set({ parent: null }) },
      {
        conflict: { page: 'c', kind: 'deleted' },
        main: { c: null },
        changeRequest: { a: null, b: null, c: { parent: null } },
      },
    ],
  ]
  test.each(cases)('A conflict of the places of pages: %s', (_name, main, changeRequest, expected) =>
    expectConflict(main, changeRequest, expected),
  )

  test('A cycle of two moves is settled by either side, or leaves both pages where they were', () => {
    const main = { a: set({ parent: 'd' }) }
    const changeRequest = { d: set({ parent: 'c' }) }
    const { conflicts, content } = mergePages(main, changeRequest)
    expect(conflicts.map(({ page: id, kind }) => [id, kind])).toEqual([
      ['d', 'move'],
      ['a', 'move'],
    ])
    expect(treeOf(content).roots.map(({ id }) => id)).toContain('d')
    const parents = (a: 'main' | 'change-request', d: 'main' | 'change-request') => {
      const resolved = mergePages(main, changeRequest, [
        { page: 'a', take: a },
        { page: 'd', take: d },
      ])
      return [
        resolved.content.pages.get('a')?.parent,
        resolved.content.pages.get('d')?.parent,
        resolved.conflicts.length,
      ]
    }
    expect(parents('main', 'main')).toEqual(['d', null, 0])
    expect(parents('change-request', 'change-request')).toEqual([null, 'c', 0])
    expect(parents('change-request', 'main')).toEqual([null, null, 0])
    // The resolutions contradict each other.
    expect(parents('main', 'change-request')).toEqual(['d', null, 2])
  })
})
