import { describe, expect, it } from '@jest/globals'
import { structureOf } from '../structure/change-structure.rules.ts'
import { countersOf, searchOf, type InsightsEvent } from './counters.rules.ts'

const structure = structureOf('site', [
  { id: 'manual', title: 'Manual' },
  { id: 'api', title: 'Api' },
])
const [manual = '', api = ''] = structure.siteSpaces.map(({ id }) => id)
const now = new Date('2026-11-22T00:02:00.000Z')
const site = { siteId: 'site', structure, now }

const session = { visitorId: 'v', sessionId: 's', cookies: {}, userAgent: 'a', language: null, referrer: null }
const nowhere = {
  url: 'https://docs.test/a',
  siteSection: null,
  siteSpace: null,
  siteShareKey: null,
  space: null,
  revision: null,
  page: null,
}
type Place = Partial<InsightsEvent['location']>
const event = (own: object, place: Place = {}, timestamp?: string) =>
  ({ session, location: { ...nowhere, ...place }, timestamp, ...own }) as InsightsEvent
const view = { type: 'page_view' }
const on = { siteSpace: manual, page: 'p' }
const key = (parts: object) => ({
  siteId: 'site',
  day: '2026-11-22',
  type: 'page_view',
  siteSpaceId: '',
  spaceId: '',
  pageId: '',
  detail: '',
  count: 1,
  ...parts,
})
const inManual = { siteSpaceId: manual, spaceId: 'manual' }
const feedback = { rating: 'good', comment: ' Thanks ' }

describe('an event is counted', () => {
  it.each<[string, InsightsEvent, object]>([
    ['by its site space and page', event(view, on), { ...inManual, pageId: 'p' }],
    ['by the site space of its space', event(view, { space: 'api' }), { siteSpaceId: api, spaceId: 'api' }],
    ['by the site space, whatever space it names', event(view, { siteSpace: manual, space: 'old' }), inManual],
    ['for the site, when it is on no space', event(view), {}],
    ['on its own day', event(view, {}, '2026-11-21T23:58:00.000Z'), { day: '2026-11-21' }],
    [
      'by the words of a search, on no page',
      event({ type: 'search_type_query', query: '  Install \n LINUX' }, on),
      { ...inManual, type: 'search_type_query', detail: 'install linux' },
    ],
    [
      'by the search whose result was opened',
      event({ type: 'search_open_result', query: 'a', result: { spaceId: 'x', pageId: 'y' } }, on),
      { ...inManual, type: 'search_open_result', detail: 'a' },
    ],
    [
      'by a rating',
      event({ type: 'page_post_feedback', feedback }, on),
      { ...inManual, type: 'page_post_feedback', pageId: 'p', detail: 'good' },
    ],
    [
      'by a comment',
      event({ type: 'page_post_feedback_comment', feedback }, on),
      { ...inManual, type: 'page_post_feedback_comment', pageId: 'p', detail: 'Thanks' },
    ],
    [
      'by where a link is',
      event({ type: 'link_click', link: { target: { kind: 'url', url: 'x' }, position: 'footer' } }),
      { type: 'link_click', detail: 'footer' },
    ],
    [
      'by the list that an agent asks for',
      event({ type: 'llms_request', llmsVariant: 'full' }),
      { type: 'llms_request', detail: 'full' },
    ],
    [
      'by where a request for Markdown comes from',
      event({ type: 'page_markdown_request', markdownSource: 'page-action' }),
      { type: 'page_markdown_request', detail: 'page-action' },
    ],
    ['by its type alone', event({ type: 'ask_question', query: 'my name is Ada' }), { type: 'ask_question' }],
  ])('%s', (_how, sent, expected) => {
    expect(countersOf([sent], site)).toEqual([key(expected)])
  })
})

it('equal events make one counter', () => {
  const counters = countersOf([event(view, on), event(view), event(view, on)], site)
  expect(counters.map(({ pageId, count }) => [pageId, count])).toEqual([
    ['p', 2],
    ['', 1],
  ])
})

const late = { code: 'invalid_request', details: [{ path: 'body.events.1.timestamp' }] }
const strange = (field: string) => ({ code: 'not_found', details: [{ path: `body.events.1.location.${field}` }] })

describe('an event is refused', () => {
  it.each<[string, InsightsEvent, object]>([
    ['that is too old', event(view, {}, '2026-11-21T23:56:59.000Z'), late],
    ['of the future', event(view, {}, '2026-11-22T00:07:01.000Z'), late],
    ['on a space of another site', event(view, { siteSpace: 'other' }), strange('siteSpace')],
    ['on a space that the site does not show', event(view, { space: 'other' }), strange('space')],
  ])('%s', (_why, sent, expected) => {
    expect(failureOf(() => countersOf([event(view), sent], site))).toMatchObject(expected)
  })

  it('on a space that is deleted', () => {
    const siteSpaces = structure.siteSpaces.map(row => ({ ...row, isDeleted: row.id === manual }))
    const hidden = { ...site, structure: { ...structure, siteSpaces } }
    expect(failureOf(() => countersOf([event(view), event(view, on)], hidden))).toMatchObject(strange('siteSpace'))
  })
})

it('a search is the same in any case and spacing', () => {
  expect(['E\u0301t\u00e9', ' \u00c9t\u00e9 '].map(searchOf)).toEqual(['\u00e9t\u00e9', '\u00e9t\u00e9'])
})

function failureOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
