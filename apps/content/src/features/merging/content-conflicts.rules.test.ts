import { describe, test } from '@jest/globals'
import { hashOf, withText } from './test/contents.ts'
import { expectConflict, set, settings, text, write, type ConflictCase, type Edits } from './test/page-edits.ts'

describe('both sides change the content of a page', () => {
  const cases: [name: string, main: Edits, changeRequest: Edits, expected: ConflictCase][] = [
    [
      'the same lines',
      { a: write('# A\n') },
      { a: write('# B\n') },
      {
        conflict: { page: 'a', kind: 'text', base: text, main: '# A\n', changeRequest: '# B\n' },
        main: { a: { document: hashOf('# A\n') } },
        changeRequest: { a: { document: hashOf('# B\n') } },
      },
    ],
    [
      'text and title; the title stays merged',
      { a: write('# A\n') },
      { a: before => ({ ...withText(before, '# B\n'), title: 'B' }) },
      {
        conflict: { page: 'a', kind: 'text' },
        main: { a: { document: hashOf('# A\n'), title: 'B' } },
        changeRequest: { a: { document: hashOf('# B\n'), title: 'B' } },
      },
    ],
    [
      'a setting that both added, which merges to no front matter',
      { d: write(settings.replace('---\n', '---\nhidden: true\n')) },
      { d: write(settings.replace('icon: leaf\n', 'icon: leaf\nhidden: false\n')) },
      {
        conflict: { page: 'd', kind: 'text' },
        main: { d: { hidden: true } },
        changeRequest: { d: { icon: 'leaf' } },
      },
    ],
    [
      'titles',
      { a: set({ title: 'A' }) },
      { a: set({ title: 'B' }) },
      {
        conflict: { page: 'a', kind: 'field', field: 'title', base: 'Title a', main: 'A', changeRequest: 'B' },
        main: { a: { title: 'A' } },
        changeRequest: { a: { title: 'B' } },
      },
    ],
    [
      'an emoji removed and changed',
      { a: set({ emoji: 'x' }) },
      { a: set({ emoji: 'y' }) },
      {
        conflict: { page: 'a', kind: 'field', field: 'emoji', main: 'x', changeRequest: 'y' },
        main: { a: { emoji: 'x' } },
        changeRequest: { a: { emoji: 'y' } },
      },
    ],
    [
      'the type, and what belongs to the type',
      { d: set({ type: 'group' }) },
      { d: write('# D\n') },
      {
        conflict: {
          page: 'd',
          kind: 'field',
          field: 'type',
          base: 'document',
          main: 'group',
          changeRequest: 'document',
        },
        main: { d: { type: 'group' } },
        changeRequest: { d: { type: 'document', document: hashOf('# D\n') } },
      },
    ],
  ]
  test.each(cases)('%s', (_name, main, changeRequest, expected) => expectConflict(main, changeRequest, expected))
})
