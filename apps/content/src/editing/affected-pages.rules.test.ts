import { expect, it } from '@jest/globals'
import { affectedPages, type PageOutcome } from './affected-pages.rules.ts'

const cases: [title: string, before: string, after: string, outcomes: PageOutcome[], expected: object[]][] = [
  ['Nothing is affected by files', 'a', 'a', [{}], []],
  ['A page that is inserted is created, with its name in the batch', '', 'a', [{ page: 'a', ref: 'r' }], [{ object: 'created_page', page: 'a', ref: 'r' }]], // prettier-ignore
  ['A page that is inserted and changed is created', '', 'a', [{ page: 'a', ref: 'r' }, { page: 'a' }], [{ object: 'created_page', page: 'a', ref: 'r' }]], // prettier-ignore
  ['A page that is changed twice is there once', 'ab', 'ab', [{ page: 'b' }, { page: 'a' }, { page: 'b' }], [{ object: 'updated_page', page: 'b' }, { object: 'updated_page', page: 'a' }]], // prettier-ignore
  ['A page is deleted with those below it', 'ab', '', [{ deletedPages: ['a', 'b'] }], [{ object: 'deleted_page', page: 'a' }, { object: 'deleted_page', page: 'b' }]], // prettier-ignore
  ['A page that is changed and then deleted is deleted', 'a', '', [{ page: 'a' }, { deletedPages: ['a'] }], [{ object: 'deleted_page', page: 'a' }]], // prettier-ignore
  ['A page that is inserted and deleted is left out', '', '', [{ page: 'a' }, { deletedPages: ['a'] }], []],
  ['A deleted page that returns is created', '', 'a', [{ page: 'a' }], [{ object: 'created_page', page: 'a' }]],
]

it.each(cases)('%s', (_title, before, after, outcomes, expected) => {
  const pages = (ids: string) => new Map(Array.from(ids, id => [id, {}]))
  expect(affectedPages(outcomes, { before: pages(before), after: pages(after) })).toEqual(expected)
})
