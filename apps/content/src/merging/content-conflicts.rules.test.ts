import { describe, test } from '@jest/globals'
import { hashOf, withText } from './test/contents.ts'
import { expectConflict, set, settings, text, write, type ConflictCase, type Edits } from './test/page-edits.ts'

const bothSettings = settings
  .replace('icon: leaf', 'if: visitor.claims.beta')
  .replace('description: Old', 'description: New')

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
      'a setting that both added, in other lines',
      { d: write(settings.replace('---\n', '---\nhidden: true\n')) },
      { d: write(settings.replace('icon: leaf\n', 'icon: leaf\nhidden: false\n')) },
      {
        conflict: { page: 'd', kind: 'field', field: 'hidden', main: true, changeRequest: false },
        main: { d: { hidden: true, icon: 'leaf' } },
        changeRequest: { d: { hidden: false, icon: 'leaf' } },
      },
    ],
    [
      'the same lines; settings of both sides stay merged',
      { d: write(settings.replace('icon: leaf', 'if: visitor.claims.beta').replace('First', 'Main')) },
      { d: write(settings.replace('description: Old', 'description: New').replace('First', 'Change')) },
      {
        conflict: { page: 'd', kind: 'text' },
        main: {
          d: {
            description: 'New',
            condition: 'visitor.claims.beta',
            document: hashOf(bothSettings.replace('First', 'Main')),
          },
        },
        changeRequest: {
          d: {
            description: 'New',
            condition: 'visitor.claims.beta',
            document: hashOf(bothSettings.replace('First', 'Change')),
          },
        },
      },
    ],
    [
      'a setting and the same lines',
      { d: write(settings.replace('Old', 'Main').replace('First', 'Main')) },
      { d: write(settings.replace('Old', 'Change').replace('First', 'Change').replace('leaf', 'tree')) },
      {
        conflict: { page: 'd', kind: 'text' },
        count: 2,
        main: { d: { description: 'Main', icon: 'tree' } },
        changeRequest: { d: { description: 'Change', icon: 'tree' } },
      },
    ],
    [
      'front matter that cannot be read, and the same lines',
      { a: write('---\ntitle: [\n---\n\n# Main\n') },
      { a: write('---\ntitle: [\n---\n\n# Change\n') },
      {
        conflict: { page: 'a', kind: 'text' },
        main: { a: { document: hashOf('---\ntitle: [\n---\n\n# Main\n') } },
        changeRequest: { a: { document: hashOf('---\ntitle: [\n---\n\n# Change\n') } },
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
  test.each(cases)('A conflict of the content of a page: %s', (_name, main, changeRequest, expected) =>
    expectConflict(main, changeRequest, expected),
  )
})
