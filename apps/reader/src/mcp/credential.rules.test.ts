import { expect, test } from '@jest/globals'
import { challenge, credentialOf } from './credential.rules.ts'

test.each([
  [undefined, undefined],
  ['Basic abc', undefined],
  ['Bearer', undefined],
  [`Bearer ${'x'.repeat(9_000)}`, undefined],
  ['Bearer aa.bb.cc', { jwtToken: 'aa.bb.cc' }],
  ['bearer aa.bb.', { jwtToken: 'aa.bb.' }],
  ['Bearer key', { shareKey: 'key' }],
  ['Bearer a.b', { shareKey: 'a.b' }],
])('the header %j has the credential %j', (header, expected) => expect(credentialOf(header)).toEqual(expected))

test('a challenge says how a client proves who its visitor is, and whether what it sent was refused', () => {
  expect(challenge({ realm: 'docs.test"', hasCredential: false })).toMatch(
    /^Bearer realm="docs.test", error_description=/,
  )
  expect(challenge({ realm: 'docs.test', hasCredential: true })).toContain('error="invalid_token"')
})
