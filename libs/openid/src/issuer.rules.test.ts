import { expect, it } from '@jest/globals'
import { faultyEndpoint, isProviderUrl } from './issuer.rules.ts'

it.each<[string, boolean]>([
  ['https://login.test', true],
  ['https://login.test/realms/acme', true],
  ['http://localhost:8080/realms/acme', true],
  ['http://127.0.0.1:8080', true],
  ['http://[::1]:8080', true],
  ['http://login.test', false],
  ['http://localhost.evil.test', false],
  ['https://user:password@login.test', false],
  ['https://login.test#x', false],
  ['javascript:alert(1)', false],
  ['nothing', false],
])('%s can be the URL of a provider: %s', (url, expected) => {
  expect(isProviderUrl(url)).toBe(expected)
})

it('A provider has its three endpoints at URLs, and the other two if at all', () => {
  const endpoints = { authorization_endpoint: 'https://a', token_endpoint: 'https://b', jwks_uri: 'https://c' }
  expect(faultyEndpoint(endpoints)).toBeUndefined()
  expect(faultyEndpoint({ ...endpoints, jwks_uri: undefined })).toBe('jwks_uri')
  expect(faultyEndpoint({ ...endpoints, token_endpoint: 'http://b' })).toBe('token_endpoint')
  expect(faultyEndpoint({ ...endpoints, end_session_endpoint: 'data:x' })).toBe('end_session_endpoint')
})
