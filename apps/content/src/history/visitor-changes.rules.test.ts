import { describe, expect, it } from '@jest/globals'
import type { AudienceReference } from '@recto/audience'
import { indexPages } from '../pages/page-tree.ts'
import type { PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { SemanticChange } from './semantic-changes.ts'
import { visitorChanges, type VisitorComparison } from './visitor-changes.rules.ts'

const record = (id: string, parent: string | null = null) =>
  ({ id, type: 'document', title: `Title of ${id}`, slug: id, parent, order: id }) as unknown as PageRecord
const treeOf = (...ids: (string | PageRecord)[]) =>
  indexPages(ids.map(id => (typeof id === 'string' ? record(id) : id)))
const ref = (id: string, path = id) => ({ id, type: 'document' as const, title: `Title of ${id}`, path })
const edited = (id: string): SemanticChange => ({
  type: 'page_edited',
  page: ref(id),
  attributes: { title: { before: 'A secret', after: `Title of ${id}` } },
})
const reusable = (id: string, type: 'created' | 'edited' | 'deleted' = 'edited') =>
  ({ type: `reusable_content_${type}`, record: { id }, before: { id } as ReusableRecord }) as SemanticChange
const including = (...ids: string[]): AudienceReference[] =>
  ids.map(id => ({ target: { kind: 'reusable-content', id }, conditions: [] }))
const references = new Map([
  ['a', including('direct')],
  ['b', including('outer')],
  ['outer', including('inner', 'outer')],
])

describe('a visitor learns of the changes between two revisions', () => {
  it.each<[string, Partial<VisitorComparison>, object[]]>([
    ['a new page', { after: treeOf('a', 'b', 'c') }, [{ type: 'page_created', page: ref('c') }]],
    ['no page that is hidden in both', { changes: [edited('hidden')] }, []],
    [
      'a page that is gone or hidden, by its id alone',
      { after: treeOf('a') },
      [{ type: 'page_removed', page: { id: 'b' } }],
    ],
    [
      'an edited page, without what it was',
      { changes: [edited('a')] },
      [{ type: 'page_edited', page: ref('a'), attributes: {} }],
    ],
    [
      'a moved page, with its place',
      {
        changes: [{ type: 'page_moved', page: ref('b', 'a/b'), parent: { before: ref('secret') } }],
        after: treeOf('a', record('b', 'a')),
      },
      [{ type: 'page_moved', page: ref('b', 'a/b'), parent: { after: ref('a') } }],
    ],
    [
      'a page with a reusable content that changed',
      { changes: [reusable('direct')] },
      [{ type: 'page_edited', page: ref('a'), attributes: {} }],
    ],
    [
      'a page with a changed reusable content within another, which can include itself',
      { changes: [reusable('inner', 'deleted')] },
      [{ type: 'page_edited', page: ref('b'), attributes: {} }],
    ],
    [
      'a page whose path changed with that of the page above',
      { before: treeOf('a', { ...record('c', 'a'), slug: 'old' } as PageRecord), after: treeOf('a', record('c', 'a')) },
      [{ type: 'page_moved', page: ref('c', 'a/c'), parent: { after: ref('a') } }],
    ],
    [
      'no page that is hidden, or below one',
      {
        changes: [edited('h'), edited('c')],
        before: treeOf({ ...record('h'), hidden: true } as PageRecord, record('c', 'h')),
        after: treeOf({ ...record('h'), hidden: true } as PageRecord, record('c', 'h'), {
          ...record('n'),
          hidden: true,
        } as PageRecord),
      },
      [],
    ],
    [
      'a page that became hidden, by its id alone',
      { after: treeOf('a', { ...record('b'), hidden: true } as PageRecord) },
      [{ type: 'page_removed', page: { id: 'b' } }],
    ],
    ['no reusable content that no page includes', { changes: [reusable('unused', 'created')] }, []],
    [
      'tags as variables, since both can concern every page',
      { changes: [{ type: 'tag_created', tag: { slug: 'secret', label: 'Secret' } }] },
      [{ type: 'variables_edited', variables: {} }],
    ],
    [
      'variables without names and values',
      { changes: [{ type: 'variables_edited', variables: { secret: { before: 'x' } } }] },
      [{ type: 'variables_edited', variables: {} }],
    ],
  ])('A visitor learns of %s', (_case, parts, expected) => {
    const comparison = { changes: [], before: treeOf('a', 'b'), after: treeOf('a', 'b'), references, ...parts }
    const changes = visitorChanges(comparison)
    expect(changes).toEqual(expected)
    expect(JSON.stringify(changes)).not.toContain('secret')
  })
})
