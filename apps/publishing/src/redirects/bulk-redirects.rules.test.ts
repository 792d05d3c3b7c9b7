import { describe, expect, it } from '@jest/globals'
import { type BulkChange, planBulk } from './bulk-redirects.rules.ts'
import type { RedirectRow } from './redirect.entity.ts'

const created = new Date('2026-01-01')
const now = new Date('2026-01-02')
const destination = { kind: 'external' as const, url: 'https://elsewhere.example/' }
const other = { kind: 'external' as const, url: 'https://other.example/' }

const row = (id: string, source: string, more: Partial<RedirectRow> = {}): RedirectRow => ({
  id,
  siteId: 'site',
  source,
  destination,
  draft: false,
  captureWildcard: false,
  permanent: false,
  createdAt: created,
  updatedAt: null,
  ...more,
})
const save = (source: string, draft = false, permanent?: boolean): BulkChange => ({
  source,
  intent: 'save',
  draft,
  permanent,
  captureWildcard: false,
  destination: other,
})
const remove = (source: string, draft = false): BulkChange => ({ source, intent: 'delete', draft })
const publish = (source: string): BulkChange => ({ source, intent: 'publish' })

function plan(rows: RedirectRow[], changes: BulkChange[]) {
  let last = 0
  return planBulk(rows, changes, { siteId: 'site', now, createId: () => `new-${(last += 1)}` })
}
const statuses = (rows: RedirectRow[], changes: BulkChange[]) => {
  const { results, deletedIds, saved } = plan(rows, changes)
  return [results.map(({ status }) => status), deletedIds, saved.map(({ id, draft }) => (draft ? `${id} draft` : id))]
}

describe('changes of many redirects', () => {
  const live = row('live', '/a')
  const draft = row('draft', '/a', { draft: true, permanent: true })
  it.each<[string, RedirectRow[], BulkChange[], unknown[]]>([
    ['create what is not there', [], [save('/a')], [['created'], [], ['new-1']]],
    ['update what is there', [live], [save('/a')], [['updated'], [], ['live']]],
    ['create a draft beside a live one', [live], [save('/a', true)], [['created'], [], ['new-1 draft']]],
    ['delete what is there', [live, draft], [remove('/a')], [['deleted'], ['live'], []]],
    ['delete a draft, not its live one', [live, draft], [remove('/a', true)], [['deleted'], ['draft'], []]],
    ['delete what is not there', [], [remove('/a')], [['deleted'], [], []]],
    ['publish a draft without a live one', [draft], [publish('/a')], [['published'], [], ['draft']]],
    ['publish a draft in place of a live one', [live, draft], [publish('/a')], [['published'], ['draft'], ['live']]],
    [
      'create both of a source',
      [],
      [save('/a'), save('/a', true)],
      [['created', 'created'], [], ['new-1', 'new-2 draft']],
    ],
    [
      'write rows that exist before new ones',
      [draft],
      [save('/b'), publish('/a')],
      [['created', 'published'], [], ['draft', 'new-1']],
    ],
  ])('%s', (_title, rows, changes, expected) => expect(statuses(rows, changes)).toEqual(expected))

  it('keep what they leave out, and when a redirect was created', () => {
    expect(plan([row('one', '/a', { permanent: true })], [save('/a')]).saved).toEqual([
      row('one', '/a', { permanent: true, destination: other, updatedAt: now }),
    ])
    expect(plan([], [save('/a', true, true)]).saved).toEqual([
      row('new-1', '/a', { draft: true, permanent: true, destination: other, createdAt: now }),
    ])
    expect(plan([live, draft], [publish('/a')]).saved).toEqual([row('live', '/a', { permanent: true, updatedAt: now })])
  })

  it.each<[string, BulkChange[], [number, number][]]>([
    ['two of a live one', [save('/a'), save('/b'), save('/a')], [[2, 0]]],
    ['a deletion, too', [remove('/a', true), save('/a', true)], [[1, 0]]],
    ['what is published and changed', [save('/a', true), publish('/a')], [[1, 0]]],
    ['what is published and changed after', [publish('/a'), save('/a')], [[1, 0]]],
    [
      'each of several',
      [save('/a'), save('/a'), save('/b'), save('/a'), remove('/b')],
      [
        [1, 0],
        [3, 0],
        [4, 2],
      ],
    ],
  ])('are refused where they are of one redirect: %s', (_case, changes, expected) => {
    const details = expected.map(([at, same]) => ({
      path: `body.redirects.${at}.source`,
      message: `is that of body.redirects.${same}, too: a redirect may be changed once`,
    }))
    expect(() => plan([], changes)).toThrow(expect.objectContaining({ code: 'invalid_request', details }))
  })

  it('name the place of a draft that is not there', () => {
    expect(() => plan([live], [save('/b'), publish('/a')])).toThrow(
      'body.redirects.1.source: the site has no draft with this source',
    )
  })
})
