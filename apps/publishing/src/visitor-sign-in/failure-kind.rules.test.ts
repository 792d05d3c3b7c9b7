import { expect, it } from '@jest/globals'
import { failureKind } from './failure-kind.rules.ts'

it.each<[Parameters<typeof failureKind>[0]['reason'], boolean, string]>([
  ['discovery', true, 'unreachable'],
  ['token_endpoint', true, 'unreachable'],
  ['discovery', false, 'provider'],
  ['keys', false, 'provider'],
  ['token_endpoint', false, 'provider'],
  ['user_info', false, 'provider'],
  ['provider_error', false, 'refused'],
  ['token_request', false, 'refused'],
  ['token_response', false, 'invalid'],
  ['response_issuer', false, 'invalid'],
  ['signature', false, 'invalid'],
  ['nonce', false, 'invalid'],
  ['events', false, 'invalid'],
])('A failure with %s, of a provider that cannot be reached: %s, is %s', (reason, isUnreachable, kind) => {
  expect(failureKind({ reason, isUnreachable })).toBe(kind)
})
