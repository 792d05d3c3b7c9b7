import { describe, test } from '@jest/globals'
import { newPage, expectConflict, set, type ConflictCase, type Edits } from './test/page-edits.ts'

describe('both sides give the same path, or an impossible place', () => {
  const cases: [name: string, main: Edits, changeRequest: Edits, expected: ConflictCase][] = [
    [
      'two pages with one slug and one file',
      { n: newPage('n', { slug: 'new', file: 'new.md' }) },
      { o: newPage('o', { slug: 'new', file: 'NEW.md' }) },
      {
        conflict: {
          page: 'o',
          kind: 'path',
          main: { page: 'n', path: 'new' },
          changeRequest: { page: 'o', path: 'new' },
        },
        main: { n: { slug: 'new', file: 'new.md' }, o: { slug: 'new-1', file: 'NEW-1.md' } },
        changeRequest: { n: { slug: 'new-1', file: 'new-1.md' }, o: { slug: 'new', file: 'NEW.md' } },
      },
    ],
    [
      'a page renamed and a page added',
      { a: set({ slug: 'new' }) },
      { o: newPage('o', { slug: 'new' }) },
      {
        conflict: { page: 'o', kind: 'path' },
        main: { a: { slug: 'new' }, o: { slug: 'new-1' } },
        changeRequest: { a: { slug: 'new-1' }, o: { slug: 'new' } },
      },
    ],
    [
      'a page moved to where one was added',
      { n: newPage('n', { slug: 'c', parent: 'd' }) },
      { c: set({ parent: 'd' }) },
      {
        conflict: { page: 'c', kind: 'path', main: { page: 'n', path: 'd/c' } },
        main: { n: { slug: 'c' }, c: { slug: 'c-1', parent: 'd' } },
        changeRequest: { n: { slug: 'c-1' }, c: { slug: 'c', parent: 'd' } },
      },
    ],
    [
      'a page moved by one side and renamed by the other, to the path of an unchanged page',
      { d: set({ parent: 'a' }) },
      { d: set({ slug: 'b' }) },
      {
        conflict: {
          page: 'd',
          kind: 'path',
          main: { page: 'b', path: 'a/b' },
          changeRequest: { page: 'd', path: 'a/b' },
        },
        main: { d: { parent: 'a', slug: 'b-1' } },
        changeRequest: { d: { parent: 'a', slug: 'b' }, b: { parent: 'a', slug: 'b-1' } },
      },
    ],
    [
      'a number that is taken',
      { n: newPage('n', { slug: 'new' }), m: newPage('m', { slug: 'new-1' }) },
      { o: newPage('o', { slug: 'new' }) },
      {
        conflict: { page: 'o', kind: 'path' },
        main: { o: { slug: 'new-2' } },
        changeRequest: { n: { slug: 'new-2' } },
      },
    ],
    [
      'files of the repository only',
      { h: set({ git: { path: 'same.md', oid: 'oid-h' } }) },
      { o: newPage('o', { file: 'same.md' }) },
      {
        conflict: { page: 'o', kind: 'path', main: { page: 'h', path: 'same.md' } },
        main: { h: { git: { path: 'same.md', oid: 'oid-h' } }, o: { file: 'same-1.md' } },
        changeRequest: { h: { file: 'same-1.md' }, o: { file: 'same.md' } },
      },
    ],
    [
      'a page below one that became a link',
      { d: ({ slug: _slug, document: _document, ...rest }) => ({ ...rest, type: 'link', href: 'https://d.test' }) },
      { n: newPage('n', { parent: 'd' }) },
      {
        conflict: { page: 'n', kind: 'move' },
        main: { d: { type: 'link' }, n: { parent: null } },
        changeRequest: { d: { type: 'link' }, n: { parent: null } },
      },
    ],
    [
      'a page that became a group and was moved',
      { d: set({ type: 'group' }) },
      { d: set({ parent: 'a' }) },
      {
        conflict: { page: 'd', kind: 'move' },
        main: { d: { type: 'group', parent: null } },
        changeRequest: { d: { type: 'group', parent: null } },
      },
    ],
  ]
  test.each(cases)('A conflict of paths: %s', (_name, main, changeRequest, expected) =>
    expectConflict(main, changeRequest, expected),
  )
})
