import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, replySchemas } from '@recto/testing'
import type { Counter } from './counters.rules.ts'
import { dayOf } from './count-query.rules.ts'
import { counterRetentionJob } from './forget-counters.ts'
import { InsightsCounterEntity } from './insights-counter.entity.ts'
import { addCounts } from './insights-counters.repository.ts'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
/** Columns that only the client of today asks for are in its document alone. */
const schemasOfToday = replySchemas('gitbook-api-today')
let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

const client = () => publishing.as('create')
type Sent = Parameters<ReturnType<typeof client>['trackEventsInSiteById']>[0]['body']['events'][number]
type Asked = Parameters<ReturnType<typeof client>['aggregateSiteEvents']>[0]['body']

const session = {
  visitorId: 'visitor-1',
  sessionId: 'session-1',
  cookies: { secret: 'cookie-1' },
  ip: '203.0.113.7',
  userAgent: 'agent-1',
  language: 'en',
  referrer: 'https://search.test/',
  visitorAuthToken: 'token-1',
  visitorAuthClaims: { email: 'ada@example.com' },
}
const nowhere = {
  url: 'https://docs.test/a',
  siteSection: null,
  siteSpace: null,
  siteShareKey: null,
  space: null,
  revision: null,
  page: null,
}
const event = (own: object, place: Partial<Sent['location']> = {}) =>
  ({ session, location: { ...nowhere, ...place }, ...own }) as unknown as Sent

/** A published site that shows a space. */
async function aSite({ validateReply } = schemas) {
  const space = publishing.content.aSpace('Manual')
  const { id } = await client().createSite({ params: { organizationId: organization }, body: { spaces: [space] } })
  const params = { organizationId: organization, siteId: id }
  await client().publishSite({ params })
  const { items } = await client().listSiteSpaces({ params })
  const siteSpace = items[0]?.id ?? ''
  const track = (...events: Sent[]) => publishing.anonymous.trackEventsInSiteById({ params, body: { events } })
  const ask = async (query: Partial<Asked>) => {
    const answer = await client().aggregateSiteEvents({ params, body: { range: 'last7Days', ...query } })
    expect(validateReply('aggregateSiteEvents', 200, answer)).toEqual([])
    return Object.fromEntries(answer.columns.map(({ column, values }) => [column, values]))
  }
  await eventually(() => track())
  return { params, space, siteSpace, track, ask }
}

const view = (page: string) => event({ type: 'page_view' }, { page })
const total = { select: [{ column: 'eventsCount' as const }] }

describe('events of a published site', () => {
  it('are counted by page, type, space and search', async () => {
    const { track, ask, space, siteSpace } = await aSite()
    const on = (own: object, page?: string) => event(own, { siteSpace, page: page ?? null })
    await track(on({ type: 'page_view' }, 'a'), on({ type: 'page_view' }, 'a'), on({ type: 'page_view' }, 'b'))
    await track(
      on({ type: 'search_type_query', query: 'Install ' }),
      on({ type: 'search_type_query', query: 'install' }),
      on({ type: 'search_type_query', query: 'nothing' }),
      on({ type: 'search_open_result', query: 'install', result: { spaceId: space, pageId: 'a' } }),
      event({ type: 'page_post_feedback', feedback: { rating: 'good' } }, { space, page: 'a' }),
    )
    const views = { column: 'eventType' as const, values: ['page_view' as const] }
    expect(await ask({ groupBy: [{ column: 'page' }], where: [views] })).toEqual({
      page: [
        { space, page: 'a' },
        { space, page: 'b' },
      ],
      eventsCount: [2, 1],
    })
    const searches = { column: 'eventSearchQuery' as const, values: [''], operator: 'notIn' as const }
    const query = { column: 'eventSearchQuery' as const }
    const type = { column: 'eventType' as const }
    expect(await ask({ groupBy: [query, type], where: [searches], limit: 2 })).toEqual({
      eventSearchQuery: ['install', 'install'],
      eventType: ['search_type_query', 'search_open_result'],
      eventsCount: [2, 1],
    })
    expect(
      await ask({
        groupBy: [{ column: 'eventPageFeedbackRating' }],
        limit: 1,
        order: { by: { column: 'eventsCount' }, direction: 'asc' },
      }),
    ).toEqual({ eventPageFeedbackRating: ['good'], eventsCount: [1] })
    const days = await ask({ select: [{ column: 'datetime' }, { column: 'siteSpace' }, { column: 'eventsCount' }] })
    expect(days).toEqual({ datetime: [`${dayOf(Date.now())}T00:00:00.000Z`], siteSpace: [siteSpace], eventsCount: [8] })
    const elsewhere = { column: 'siteSpace' as const, values: [null, 'other'] }
    expect(await ask({ ...total, where: [elsewhere] })).toEqual({ eventsCount: [0] })
  })

  it('of agents are counted by list and by source of Markdown, and events by day of the week', async () => {
    const { track, ask } = await aSite(schemasOfToday)
    await track(
      ...Array.from({ length: 3 }, () => event({ type: 'llms_request', llmsVariant: 'full' })),
      event({ type: 'page_markdown_request', markdownSource: 'page-action' }),
      event({ type: 'page_markdown_request' }),
    )
    const list = { column: 'eventLLMSVariant' as const }
    const source = { column: 'eventMarkdownSource' as const }
    const lists = await ask({ groupBy: [list], where: [{ ...list, values: ['full', null] }] })
    expect(lists).toEqual({ eventLLMSVariant: ['full', null], eventsCount: [3, 2] })
    const sources = await ask({ groupBy: [source], where: [{ ...source, values: [null], operator: 'notIn' }] })
    expect(sources).toEqual({ eventMarkdownSource: ['page-action'], eventsCount: [1] })
    const dayOfWeek = { column: 'dayOfWeek' as const }
    const { dayOfWeek: [today = 0] = [] } = await ask({ groupBy: [dayOfWeek] })
    expect([today, (Number(today) % 7) + 1]).toContain(new Date().getUTCDay() || 7)
    const elsewhere = { ...dayOfWeek, values: [Number(today)], operator: 'notIn' as const }
    expect(await ask({ ...total, where: [elsewhere] })).toEqual({ eventsCount: [0] })
  })

  it('leave nothing of who caused them', async () => {
    const { track, params } = await aSite()
    await track(view('a'))
    const rows = await publishing.service.db.findBy(InsightsCounterEntity, { siteId: params.siteId })
    const place = { siteId: params.siteId, siteSpaceId: '', spaceId: '', pageId: 'a' }
    expect(rows).toEqual([{ ...place, day: dayOf(Date.now()), type: 'page_view', detail: '', count: 1 }])
  })

  it('are refused with the field that is wrong, and count nothing', async () => {
    const { track, ask, siteSpace } = await aSite()
    const old = new Date(Date.now() - 400_000).toISOString()
    const wrong: [Sent[], object][] = [
      [
        [view('a'), event({ type: 'page_open' })],
        { code: 'invalid_request', details: [{ path: 'body.events.1.type' }] },
      ],
      [[event({ type: 'search_type_query' })], { details: [{ path: 'body.events.0.query', message: 'is required' }] }],
      [[view('x'.repeat(101))], { details: [{ path: 'body.events.0.location.page' }] }],
      [[event({ type: 'page_view', timestamp: old })], { details: [{ path: 'body.events.0.timestamp' }] }],
      [
        [view('a'), event({ type: 'page_view' }, { siteSpace: 'other' })],
        { code: 'not_found', details: [{ path: 'body.events.1.location.siteSpace' }] },
      ],
      [Array.from({ length: 101 }, () => view('a')), { details: [{ path: 'body.events' }] }],
    ]
    for (const [events, failure] of wrong) await expect(track(...events)).rejects.toMatchObject(failure)
    await track(event({ type: 'page_view', unknown: 'field' }, { siteSpace }))
    expect(await ask(total)).toEqual({ eventsCount: [1] })
  })

  it('are all counted when many arrive at once at two replicas', async () => {
    const { track, ask } = await aSite()
    const replica = await publishing.startReplica()
    const pages = ['a', 'b', 'c', 'd']
    const some = (at: number) => pages.map((_page, index) => view(pages[(at * (index + 1)) % 4] ?? ''))
    await Promise.all(Array.from({ length: 200 }, (_, at) => track(...some(at), view(`of ${at % 20}`))))
    expect(await ask(total)).toEqual({ eventsCount: [1_000] })
    await replica.stop()
  })
})

it('a site that is not published is as unknown as one that is not there, or is in another organization', async () => {
  const { track, params } = await aSite()
  const unknown = { code: 'not_found', message: 'There is no such site' }
  const at = (other: Partial<typeof params>) =>
    publishing.anonymous.trackEventsInSiteById({ params: { ...params, ...other }, body: { events: [view('a')] } })
  await expect(at({ siteId: 'nothing' })).rejects.toMatchObject(unknown)
  await expect(at({ organizationId: 'another' })).rejects.toMatchObject(unknown)
  await track(view('a'))
  await client().unpublishSite({ params })
  await eventually(async () => expect(track(view('a'))).rejects.toMatchObject(unknown))
})

it('only those who manage a site read its numbers', async () => {
  const { params } = await aSite()
  const body = { range: 'last7Days' as const }
  await expect(publishing.as('read').aggregateSiteEvents({ params, body })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(publishing.as(null).aggregateSiteEvents({ params, body })).rejects.toMatchObject({ code: 'not_found' })
  await expect(
    client().aggregateSiteEvents({ params, body: { ...body, groupBy: [{ column: 'eventsCount' }] } }),
  ).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body.groupBy' }] })
})

const counter = (parts: Partial<Counter>): Counter => ({
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
const stored = async (siteId: string) =>
  (
    await publishing.service.db.find(InsightsCounterEntity, { where: { siteId }, order: { day: 'asc', pageId: 'asc' } })
  ).map(({ day, pageId, count }) => [day, pageId, count])

it('a site has so many numbers of a day; what is new after that is counted without its page', async () => {
  const { db } = publishing.service
  const add = (...pages: string[]) =>
    addCounts(
      db,
      pages.map(pageId => counter({ siteId: 'full', pageId })),
      2,
    )
  await add('a', 'b')
  await add('a', 'c', 'd')
  await addCounts(db, [counter({ siteId: 'full', pageId: 'c', day: '2026-11-23' })], 2)
  expect(await stored('full')).toEqual([
    ['2026-11-22', '', 2],
    ['2026-11-22', 'a', 2],
    ['2026-11-22', 'b', 1],
    ['2026-11-23', 'c', 1],
  ])
})

it('a number stays at the largest', async () => {
  for (const count of [2 ** 31 - 2, 5]) await addCounts(publishing.service.db, [counter({ siteId: 'large', count })], 2)
  expect(await stored('large')).toEqual([['2026-11-22', '', 2 ** 31 - 1]])
})

it('numbers are kept for some days, and not longer than their site', async () => {
  const { db } = publishing.service
  const { params } = await aSite()
  const day = (days: number) => dayOf(Date.now() - days * 86_400_000)
  const days = [89, 90, 91, 500].map(day)
  const all = ['gone', params.siteId].flatMap(siteId => days.map(day => counter({ siteId, day })))
  await addCounts(db, all, 100)
  await counterRetentionJob(db, 90).run(new AbortController().signal)
  expect((await stored(params.siteId)).map(([storedDay]) => storedDay)).toEqual([day(90), day(89)])
  expect(await stored('gone')).toEqual([])
})
