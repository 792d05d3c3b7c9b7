import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { type ForgeReply, type ForgeResult, readReply } from './forge-reply.rules.ts'

const now = new Date('2026-11-26T10:00:00Z')
const after = (seconds: number) => ({ kind: 'limited' as const, until: new Date(now.getTime() + seconds * 1_000) })
const reset = (seconds: number) => String(now.getTime() / 1_000 + seconds)

describe('Replies of forges', () => {
  it.each<[string, Partial<ForgeReply>, Partial<ForgeResult>]>([
    ['201', { status: 201 }, { kind: 'accepted' }],
    ['200', { status: 200 }, { kind: 'accepted' }],
    [
      'a state that the commit has',
      { status: 400, text: 'Cannot transition status via :enqueue from :pending' },
      { kind: 'accepted' },
    ],
    ['another fault', { status: 400, text: 'name is missing' }, { kind: 'refused', status: 400 }],
    ['429 with seconds', { status: 429, headers: { 'retry-after': '30' } }, after(30)],
    ['429 with a date', { status: 429, headers: { 'retry-after': 'Thu, 26 Nov 2026 10:02:00 GMT' } }, after(120)],
    [
      '429 with a date that is over',
      { status: 429, headers: { 'retry-after': 'Thu, 26 Nov 2026 09:00:00 GMT' } },
      after(1),
    ],
    ['429 with nonsense', { status: 429, headers: { 'retry-after': 'soon' } }, after(60)],
    ['429 without a time', { status: 429 }, after(60)],
    ['429 for a day', { status: 429, headers: { 'retry-after': '86400' } }, after(3_600)],
    [
      'the limit of GitHub',
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset(90) } },
      after(90),
    ],
    ['the second limit of GitHub', { status: 403, headers: { 'retry-after': '5' } }, after(5)],
    ['the limit of GitHub in words', { status: 403, text: 'You have exceeded a secondary rate limit.' }, after(60)],
    ['the limit of GitLab', { status: 429, headers: { 'ratelimit-reset': reset(10) } }, after(10)],
    [
      '403 without a limit',
      { status: 403, headers: { 'x-ratelimit-remaining': '10' } },
      { kind: 'refused', status: 403 },
    ],
    ['401', { status: 401 }, { kind: 'refused', status: 401 }],
    ['404', { status: 404 }, { kind: 'refused', status: 404 }],
    ['422', { status: 422 }, { kind: 'refused', status: 422 }],
    ['a redirect', { status: 301 }, { kind: 'refused', status: 301 }],
    ['503', { status: 503 }, { kind: 'away' }],
    ['408', { status: 408 }, { kind: 'away' }],
  ])('The reply %s', (_case, reply, expected) =>
    expect(readReply({ status: 0, headers: {}, text: '', ...reply }, now)).toMatchObject(expected),
  )

  it('No message repeats the body of a reply', () =>
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), status => {
        const result = readReply({ status, headers: {}, text: 'needle' }, now)
        expect(JSON.stringify(result)).not.toContain('needle')
      }),
    ))
})
