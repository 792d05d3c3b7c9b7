import { describe, expect, it } from '@jest/globals'
import type { PageChange } from '../history/page-changes.rules.ts'
import { indexPages } from '../pages/page-tree.ts'
import type { PageRecord } from '../revisions/records.ts'
import { differingPages, mergePageChanges } from './page-changes.rules.ts'

const record = (id: string, title = id) =>
  ({ id, type: 'document', title, slug: id, parent: null, order: id }) as unknown as PageRecord
const ref = (id: string, title = id) => ({ id, type: 'document' as const, title, path: id })
const edited = (attributes: object): PageChange => ({ type: 'page_edited', page: ref('a'), attributes })
const trees = {
  before: indexPages([record('a', 'old'), record('b'), record('gone')]),
  after: indexPages([record('a'), record('b'), record('new')]),
}

describe('the pages that differ', () => {
  it.each([
    ['as they are stored', ['a', 'gone', 'new', 'unknown'], false, ['a', 'gone', 'new']],
    ['but not those that are the same', ['b'], false, []],
    ['and those that conditions hide on one side', [], true, ['gone', 'new']],
  ])('They are found %s', (_case, stored, isFiltered, expected) =>
    expect(differingPages(stored, { trees, isFiltered }).map(({ id }) => id)).toEqual(expected),
  )

  it.each<[string, PageChange[], string[], object[]]>([
    [
      'a page that is moved and edited, once',
      [{ type: 'page_moved', page: ref('a'), parent: {} }, edited({ title: { before: 'old', after: 'a' } })],
      [],
      [
        {
          id: 'a',
          status: 'edited',
          page: ref('a'),
          from: ref('a', 'old'),
          moved: { parent: {} },
          attributes: { title: {} },
        },
      ],
    ],
    ['a page by what it includes', [], ['b'], [{ id: 'b', status: 'edited', from: ref('b'), attributes: {} }]],
    [
      'new pages in the order of the tree, and deleted ones last',
      [
        { type: 'page_deleted', page: ref('gone') },
        { type: 'page_created', page: ref('new') },
      ],
      ['b'],
      [{ id: 'b' }, { id: 'new', status: 'created' }, { id: 'gone', status: 'deleted' }],
    ],
  ])('They list %s', (_case, changes, affected, expected) =>
    expect(mergePageChanges(changes, { trees, affected: new Set(affected), isVisitor: false })).toMatchObject(expected),
  )

  it('They name no documents, and to visitors no conditions', () => {
    const changes = [edited({ document: { before: 'x' }, condition: { after: 'visitor.claims.a' } })]
    const attributes = (isVisitor: boolean) =>
      mergePageChanges(changes, { trees, affected: new Set(), isVisitor })[0]?.attributes
    expect(attributes(true)).toEqual({})
    expect(attributes(false)).toEqual({ condition: { after: 'visitor.claims.a' } })
  })
})
