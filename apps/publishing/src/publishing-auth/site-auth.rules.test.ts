import type { Secrets } from '@recto/operation'
import { expect, it } from '@jest/globals'
import { newSiteKey, siteKeys } from './keys.ts'
import { keyOverlap, keysOf, rotated } from './site-auth.repository.ts'

const secret: Secrets = ['a-secret-for-tests-of-32-characters-or-more']
const now = new Date('2026-11-22T10:00:00Z')
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)
const key = newSiteKey()
const row = {
  siteId: 'site',
  privateKey: siteKeys.seal(key, 'site', secret),
  previousKey: null,
  previousUntil: null,
  fallbackUrl: null,
  logoutUrl: null,
}

it('a rotation leaves the key before valid while the overlap lasts', () => {
  expect(keysOf(row, { secret, now })).toEqual([key])
  const after = { ...row, ...rotated(row, { secret, now, revoke: false }) }
  const [fresh, previous] = keysOf(after, { secret, now: later(keyOverlap - 1) })
  expect([fresh === key, previous]).toEqual([false, key])
  expect(keysOf(after, { secret, now: later(keyOverlap) })).toEqual([fresh])
  const twice = { ...after, ...rotated(after, { secret, now, revoke: false }) }
  expect(keysOf(twice, { secret, now })).toEqual([expect.any(String), fresh])
})

it('a revoked key is not valid any more', () => {
  const after = { ...row, ...rotated(row, { secret, now, revoke: true }) }
  expect(keysOf(after, { secret, now })).toHaveLength(1)
  expect(keysOf(after, { secret, now })).not.toContain(key)
})
