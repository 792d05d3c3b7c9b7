import { expect, it } from '@jest/globals'
import { accessTokenFault } from './access-token.rules.ts'

// The example of OpenID Connect Core 1.0, appendix A.3.
const accessToken = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y'
const expected = '77QmUPtjPfzWtF2AnpK9RQ'

it.each<[string, Parameters<typeof accessTokenFault>[0], boolean]>([
  ['of the specification', { accessToken, expected, algorithm: 'RS256' }, true],
  ['that the ID token does not name', { accessToken, expected: undefined, algorithm: 'RS256' }, true],
  ['of another sign-in', { accessToken: `${accessToken}1`, expected, algorithm: 'RS256' }, false],
  ['whose hash is of another algorithm', { accessToken, expected, algorithm: 'ES384' }, false],
  ['whose hash is no text', { accessToken, expected: 1, algorithm: 'RS256' }, false],
  ['whose hash is empty', { accessToken, expected: '', algorithm: 'EdDSA' }, false],
])('An access token %s is accepted or refused as it should', (_case, token, isAccepted) => {
  expect(accessTokenFault(token) === undefined).toBe(isAccepted)
})
