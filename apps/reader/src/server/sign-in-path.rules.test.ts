import { expect, it } from '@jest/globals'
import { locationIn, ownSignIn, signInFrom, signInPathAt, signInTargets } from './sign-in-path.rules.ts'

it.each([
  ['/acme/~recto/sign-in', { action: 'signIn', root: '/acme' }],
  ['/~recto/sign-in', { action: 'signIn', root: '' }],
  ['/~recto/sign-in/callback', { action: 'callback', root: '' }],
  ['/acme/~recto/sign-out', { action: 'signOut', root: '/acme' }],
  ['/acme/~recto/signed-out', { action: 'signedOut', root: '/acme' }],
  ['/acme/~recto/sign-in/other', undefined],
  ['/acme/x~recto/sign-in', undefined],
  ['/acme/~recto/search', undefined],
])('%s asks for %j', (path, expected) => {
  expect(signInPathAt(path)).toEqual(expected)
})

const address = { site: 'https://acme.docs.test', mountPath: '/acme', path: '/guide', isPreview: false }

it.each([
  ['https://acme.docs.test/~recto/sign-in?location=%2Fguide', '/acme'],
  ['https://acme.docs.test/help/~recto/sign-in', '/acme/help'],
  ['https://acme.docs.test/~recto/sign-out', undefined],
  ['https://evil.test/~recto/sign-in', undefined],
  ['https://acme.docs.test/login', undefined],
])('The login %s is that of the site at the path %s of this reader', (login, expected) => {
  expect(ownSignIn(login, address)).toBe(expected)
})

it.each([
  ['location=%2Fguide%3Fa%3D1', '/guide?a=1'],
  ['', '/'],
  ['location=guide', '/'],
  ['location=%2F%2Fevil.test', '/'],
  ['location=%2F%5Cevil.test', '/'],
  ['location=https%3A%2F%2Fevil.test', '/'],
  ['location=%2F%09%2Fevil.test', '/'],
  ['location=%2Fa%5C..', '/'],
])('The query %j leads back to %s', (query, expected) => {
  expect(locationIn(query)).toBe(expected)
})

it('A sign-in keeps where it began', () => {
  expect(signInFrom('/acme', '/guide?a=1&b')).toBe('/acme/~recto/sign-in?location=%2Fguide%3Fa%3D1%26b')
})

it('A visitor comes back to what they asked for', () => {
  expect(signInTargets('/acme', '/acme/guide?a=1')).toEqual({
    in: '/acme/~recto/sign-in?location=%2F',
    out: '/acme/~recto/sign-out',
    back: '/acme/~recto/sign-in?location=%2Fguide%3Fa%3D1',
  })
  expect(signInTargets('', '/guide').back).toBe('/~recto/sign-in?location=%2Fguide')
  expect(signInTargets('/acme', '/other/guide').back).toBe('/acme/~recto/sign-in?location=%2F')
})
