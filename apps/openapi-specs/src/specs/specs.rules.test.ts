import { describe, expect, it } from '@jest/globals'
import { afterProcessing, dueAt, errorCountOf, fromSource, newSpec, nextPoll, type Outcome } from './specs.rules.ts'

const minute = 60_000
const interval = 360 * minute
const now = new Date('2026-01-01T00:00:00Z')
const spec = newSpec('organization', 'toys', { url: 'https://a.test/openapi.json' })
const validators = { etag: '"1"', lastModified: null }
const after = (outcome: Outcome, before = spec) => afterProcessing(before, outcome, { now, interval, random: 0.5 })
const failure = (code: 'FETCH_ERROR' | 'FETCH_TIMEOUT' | 'PARSE_ERROR'): Outcome => ({
  kind: 'failure',
  code,
  errors: [{ message: 'broken' }],
})
const minutesUntil = (date: Date | null | undefined) => date && (date.getTime() - now.getTime()) / minute

describe('after processing', () => {
  it.each<[string, Partial<typeof spec>, object, number]>([
    ['a version', after({ kind: 'version', version: 'v1', validators }), { lastVersion: 'v1', etag: '"1"' }, 360],
    ['nothing new', after({ kind: 'unchanged', validators }), { etag: '"1"', errorCode: null }, 360],
    ['a first failure to fetch', after(failure('FETCH_ERROR')), { failures: 1, errorCode: 'FETCH_ERROR' }, 5],
    ['a third one', after(failure('FETCH_TIMEOUT'), { ...spec, failures: 2 }), { failures: 3 }, 20],
    ['the twentieth', after(failure('FETCH_TIMEOUT'), { ...spec, failures: 19 }), { failures: 20 }, 360],
    ['a broken document', after(failure('PARSE_ERROR'), { ...spec, failures: 3 }), { failures: 0 }, 360],
  ])('%s', (_case, changes, expected, minutes) => {
    expect(changes).toMatchObject({ ...expected, state: 'complete', attempts: 0, heartbeatAt: null })
    expect(minutesUntil(changes.dueAt)).toBe(minutes)
  })

  it('a failure leaves the last version and its validators as they are', () => {
    const changes = after(failure('PARSE_ERROR'))
    expect(['lastVersion', 'etag', 'lastModified', 'updatedAt'].filter(name => name in changes)).toEqual([])
  })

  it('a text is not processed again', () => {
    const text = newSpec('organization', 'toys', { text: '{}' })
    expect(after({ kind: 'version', version: 'v1', validators }, text).dueAt).toBeNull()
  })
})

it.each<[string, number, number, number]>([
  ['no errors', 0, 0, 0],
  ['no errors, counted by a version from before there was a count', 0, 150, 0],
  ['some errors', 3, 3, 3],
  ['some errors, not counted', 3, 0, 3],
  ['more errors than are kept', 100, 250, 250],
  ['as many errors as are kept, not counted', 100, 0, 100],
])('A specification with %s counts them', (_case, count, errorCount, expected) => {
  const errors = Array.from({ length: count }, () => ({ message: 'broken' }))
  expect(errorCountOf({ errors, errorCount })).toBe(expected)
})

it('Processing counts the errors that are not kept, too', () => {
  const errors = Array.from({ length: 250 }, () => ({ message: 'broken' }))
  const changes = after({ kind: 'failure', code: 'PARSE_ERROR', errors })
  expect([changes.errors?.length, changes.errorCount]).toEqual([100, 250])
  expect(after({ kind: 'unchanged', validators }).errorCount).toBe(0)
})

it('polls are spread by a tenth before and after their interval', () => {
  expect([0, 0.5, 1].map(random => nextPoll({ failures: 0, interval: 1_000, random }))).toEqual([900, 1_000, 1_100])
})

it('another source is asked for without the validators of the one before, and at once', () => {
  expect(fromSource({ url: 'https://b.test/' }, now)).toMatchObject({ etag: null, lastModified: null, ...dueAt(now) })
})
