import { describe, expect, it } from '@jest/globals'
import { afterAttempt, orderKeyOf, retryDelays, webhookAfter } from './delivery.rules.ts'

const now = new Date('2026-11-26T12:00:00Z')
const attempt = (status?: number) => ({
  at: now.toISOString(),
  milliseconds: 5,
  ...(status !== undefined && { status }),
})
const inMs = (ms: number) => new Date(now.getTime() + ms)
const days = (count: number) => count * 86_400_000

describe('a delivery after an attempt', () => {
  it.each([200, 204, 299])('that was answered with %i is delivered', status => {
    const changes = afterAttempt({ failures: 3, log: [] }, attempt(status), { now, random: 0 })
    expect(changes).toEqual({ state: 'delivered', heartbeatAt: null, endedAt: now, log: [attempt(status)] })
  })

  it.each([[undefined], [199], [301], [404], [500]])('that was answered with %p waits for the next', status => {
    const changes = afterAttempt({ failures: 0, log: [] }, attempt(status), { now, random: 0 })
    expect(changes).toMatchObject({ state: 'waiting', failures: 1, dueAt: inMs(5_000) })
  })

  it('is tried eight times within three days, and up to a tenth later at random', () => {
    const states = Array.from({ length: 8 }, (_, failures) =>
      afterAttempt({ failures, log: [] }, attempt(500), { now, random: 1 }),
    )
    expect(states.map(({ state }) => state)).toEqual([...Array<string>(7).fill('waiting'), 'failed'])
    const total = retryDelays.reduce((sum, delay) => sum + delay, 0)
    expect([total > days(2.9), total * 1.1 < days(3.4)]).toEqual([true, true])
    expect(states[0]?.dueAt).toEqual(inMs(5_500))
  })

  it('remembers the last ten attempts', () => {
    const log = Array.from({ length: 10 }, () => attempt(500))
    expect(afterAttempt({ failures: 0, log }, attempt(200), { now, random: 0 }).log).toEqual([
      ...log.slice(1),
      attempt(200),
    ])
  })
})

describe('a webhook after an attempt', () => {
  const since = inMs(-days(1))
  it.each([
    ['accepted', { failures: 9, failingSince: since }, 200, { failures: 0, failingSince: null, pausedUntil: null }],
    ['failed', { failures: 0, failingSince: null }, 500, { failures: 1, failingSince: now, pausedUntil: null }],
    ['the fourth that failed', { failures: 3, failingSince: since }, 500, { failures: 4, pausedUntil: null }],
    ['the fifth that failed', { failures: 4, failingSince: since }, 500, { failures: 5, pausedUntil: inMs(30_000) }],
    ['the sixth that failed', { failures: 5, failingSince: since }, 500, { failures: 6, pausedUntil: inMs(60_000) }],
    ['one of many that failed', { failures: 90, failingSince: since }, 500, { pausedUntil: inMs(1_800_000) }],
    ['gone', { failures: 0, failingSince: null }, 410, { enabled: false, disabledReason: 'gone' }],
    [
      'failed for five days',
      { failures: 90, failingSince: inMs(-days(5)) },
      500,
      { enabled: false, disabledReason: 'failing' },
    ],
  ])('that was %s', (_what, webhook, status, changes) => {
    expect(webhookAfter(webhook, attempt(status), now)).toMatchObject(changes)
  })
})

it.each([
  [{ space: 'a', changeRequest: 'c' }, 'space a'],
  [{ space: 'a', site: 's' }, 'space a'],
  [{ site: 's', siteSection: 'x' }, 'site s'],
  [{ user: 'u' }, 'organization'],
])('events about %j are sent in the order of %s', (subject, key) => {
  expect(orderKeyOf({ subject: subject as unknown as Record<string, string> })).toBe(key)
})
