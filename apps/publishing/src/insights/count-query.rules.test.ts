import { describe, expect, it } from '@jest/globals'
import { insights } from '@recto/contracts-publishing'
import type { z } from 'zod'
import { countQueryOf } from './count-query.rules.ts'

const now = new Date('2026-11-22T12:00:00.000Z')
type Asked = z.input<(typeof insights)['aggregateSiteEvents']['body']>
const ask = (query: Partial<Asked>) =>
  countQueryOf(insights.aggregateSiteEvents.body.parse({ range: 'last7Days', ...query }), now)
const count = { column: 'eventsCount' } as const
const type = { column: 'eventType' } as const
const page = { column: 'page' } as const
const day = { column: 'datetime' } as const
const week = { column: 'datetime', interval: 'week' } as const

describe('columns', () => {
  it.each<[string, Partial<Asked>, string[]]>([
    ['neither given', {}, ['eventsCount']],
    ['grouped', { groupBy: [type, page] }, ['eventType', 'page', 'eventsCount']],
    ['selected', { select: [count, day] }, ['eventsCount', 'datetime']],
    ['both', { select: [count, type], groupBy: [type] }, ['eventsCount', 'eventType']],
  ])('%s', (_case, query, expected) => {
    expect(ask(query).columns.map(({ column }) => column.column)).toEqual(expected)
  })
})

describe('days', () => {
  it.each<[Asked['range'], string, string]>([
    ['last24Hours', '2026-11-21', '2026-11-22'],
    ['last7Days', '2026-11-15', '2026-11-22'],
    ['last30Days', '2026-10-23', '2026-11-22'],
    ['lastYear', '2025-11-22', '2026-11-22'],
    [{ from: '2026-11-01T23:59:00.000+02:00', to: '2026-11-02T00:00:00.000-05:00' }, '2026-11-01', '2026-11-02'],
  ])('of %j', (range, from, to) => {
    expect(ask({ range })).toMatchObject({ from, to })
  })
})

describe('order', () => {
  it.each<[string, Partial<Asked>, object]>([
    ['by count, the highest first', { groupBy: [page] }, { at: 1, direction: 'desc' }],
    ['by a column', { groupBy: [day], order: { by: day, direction: 'asc' } }, { at: 0, direction: 'asc' }],
    ['by the first column without count', { select: [type] }, { at: 0, direction: 'desc' }],
  ])('%s', (_case, query, expected) => {
    expect(ask(query).order).toEqual(expected)
  })
})

it('filters by values as they are stored', () => {
  const where: Asked['where'] = [
    { column: 'siteSpace', values: ['a', null], operator: 'notIn' },
    { column: 'page', values: [{ space: 's', page: 'p' }, { space: 's', page: null }, null] },
  ]
  expect(ask({ where }).where).toMatchObject([
    { values: ['a', ''], isExcluded: true },
    { values: ['s/p', 's/', '/'], isExcluded: false },
  ])
})

describe('a question without an answer names the field', () => {
  const six = [type, page, day, week, { column: 'siteSpace' }, { column: 'eventSearchQuery' }] as const
  it.each<[Partial<Asked>, string]>([
    [{ select: [] }, 'body.select'],
    [{ select: [type, type] }, 'body.select.1'],
    [{ select: [count, page], groupBy: [type] }, 'body.select.1'],
    [{ select: [week], groupBy: [day] }, 'body.select.0'],
    [{ select: [count], groupBy: [type] }, 'body.groupBy.0'],
    [{ groupBy: [count] }, 'body.groupBy'],
    [{ select: [...six] }, 'body.groupBy'],
    [{ groupBy: [type], order: { by: page, direction: 'asc' } }, 'body.order.by'],
    [{ range: { from: '2026-11-02T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' } }, 'body.range.to'],
  ])('%j: %s', (query, path) => {
    expect(() => ask(query)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: [{ path, message: expect.stringMatching(/^must /) }],
      }),
    )
  })
})
