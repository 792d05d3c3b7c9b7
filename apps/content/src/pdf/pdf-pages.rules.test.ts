import { describe, expect, it } from '@jest/globals'
import { indexPages } from '../pages/page-tree.ts'
import type { PageRecord } from '../revisions/records.ts'
import { pagesOfPdf } from './pdf-pages.rules.ts'

const at = '2026-01-01T00:00:00.000Z'
const page = (id: string, parent: string | null, more: Partial<PageRecord> = {}): PageRecord => ({
  id,
  title: id,
  type: 'document',
  parent,
  order: id,
  slug: id,
  createdAt: at,
  updatedAt: at,
  ...more,
})
const index = indexPages([
  page('a', null),
  page('a1', 'a'),
  page('a2', 'a', { hidden: true }),
  page('a21', 'a2'),
  page('b', null, { type: 'group' }),
  page('b1', 'b'),
  page('c', null, { type: 'group' }),
  page('c1', 'c', { type: 'link', href: 'https://example.com' }),
  page('d', null, { hidden: true }),
  page('e', null, { type: 'computed' }),
])

describe('the pages of a PDF', () => {
  it.each<[string, Parameters<typeof pagesOfPdf>[1], string[] | undefined]>([
    [
      'of all content are those that are shown, and groups with some of them',
      { only: false },
      ['a', ' a1', 'b:', ' b1'],
    ],
    ['of a page are those below it', { page: 'a', only: false }, ['a', ' a1']],
    ['of a page alone', { page: 'a', only: true }, ['a']],
    ['of a group', { page: 'b', only: false }, ['b:', ' b1']],
    ['of a group alone, which has no text', { page: 'b', only: true }, undefined],
    ['of a hidden page that is named', { page: 'a2', only: false }, ['a2', ' a21']],
    ['of a link', { page: 'c1', only: false }, undefined],
    ['of a page that is not there', { page: 'x', only: false }, undefined],
    ['of all content, whatever is not to be with it', { only: true }, ['a', ' a1', 'b:', ' b1']],
  ])('The pages of a PDF %s', (_case, request, expected) =>
    expect(
      pagesOfPdf(index, request)?.map(({ id, depth, isGroup }) => `${' '.repeat(depth)}${id}${isGroup ? ':' : ''}`),
    ).toEqual(expected),
  )
})
