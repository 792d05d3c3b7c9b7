import { expect, it } from '@jest/globals'
import { signingAt, signingTarget } from './signing.rules.ts'

it.each<[string, object | undefined]>([
  ['/~gitbook/auth/logout', { action: 'out', root: '/' }],
  ['/docs/~gitbook/auth/logout', { action: 'out', root: '/docs/' }],
  ['/~gitbook/auth/login', { action: 'in', root: '/' }],
  ['/~gitbook/auth/logout/more', undefined],
  ['/a~gitbook/auth/logout', undefined],
  ['/', undefined],
])('%s asks for %j', (path, expected) => expect(signingAt(path)).toEqual(expected))

const urls = { login: 'https://login.test/start?a=b', logout: 'https://login.test/bye' }
it.each<['in' | 'out', boolean, typeof urls | Record<string, never>, string]>([
  ['out', true, urls, 'https://login.test/bye'],
  ['out', false, urls, 'https://login.test/bye'],
  ['out', true, {}, '/docs/'],
  ['in', false, urls, 'https://login.test/start?a=b&location=%2F'],
  ['in', true, urls, '/docs/'],
  ['in', false, {}, '/docs/'],
])('Signing %s, signed in: %s, with %j leads to %s', (action, isSignedIn, siteUrls, expected) => {
  expect(signingTarget({ action, root: '/docs/' }, { isSignedIn, urls: siteUrls })).toBe(expected)
})
