import { expect, it } from '@jest/globals'
import { downloadIssuedFor, downloadLifetime, maxVisitorGrant, siteVersionOf } from './site-version.ts'
import { maxVisitorTokenLength } from './visitor-token.ts'

it('A download of a visitor is issued for the version of their site, and for nothing else of them', () => {
  const visitor = { organization: 'o', site: 'Ab-3_x', version: 12, spaces: ['s'], claims: { name: 'Ada' } }
  expect(downloadIssuedFor(visitor)).toBe('site Ab-3_x 12')
  expect(siteVersionOf('site Ab-3_x 12')).toEqual({ site: 'Ab-3_x', version: 12 })
})

it('A download of a member is issued for nothing', () => {
  expect(downloadIssuedFor(undefined)).toBeUndefined()
})

it.each([
  '',
  'site',
  'site a',
  'site a b',
  'site a -1',
  'site a 1.5',
  'site a 1 ',
  'site a b 1',
  'space a 1',
  'site  1',
])('What %j was issued for is not known', issuedFor => expect(siteVersionOf(issuedFor)).toBeUndefined())

it('Closings are remembered for longer than any token and any download is valid', () => {
  const roundedUp = downloadLifetime + 3_600_000
  expect(maxVisitorGrant).toBeGreaterThan(Math.max(maxVisitorTokenLength, roundedUp))
})
