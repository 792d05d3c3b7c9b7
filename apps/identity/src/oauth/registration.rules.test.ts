import { describe, expect, it } from '@jest/globals'
import { allowsRedirect, parseAllowList, readRegistration } from './registration.rules.ts'

const allow = parseAllowList('loopback, vscode.dev, *.example.com, cursor:')

describe('allowsRedirect', () => {
  it.each([
    ['http://127.0.0.1/callback', true],
    ['http://127.0.0.1:33418/', true],
    ['http://localhost:8080/cb', true],
    ['http://[::1]:8080/cb', true],
    ['https://vscode.dev/redirect', true],
    ['https://a.example.com/cb', true],
    ['https://a.b.example.com/cb', true],
    ['cursor://anysphere.cursor-retrieval/oauth', true],
    ['https://example.com/cb', false],
    ['https://evilexample.com/cb', false],
    ['https://vscode.dev.evil.test/cb', false],
    ['http://vscode.dev/redirect', false],
    ['https://localhost/cb', false],
    ['http://127.0.0.1.evil.test/cb', false],
    ['http://user@127.0.0.1/cb', false],
    ['http://127.0.0.1/cb#fragment', false],
    ['javascript:alert(1)', false],
    ['vscode://host/cb', false],
    ['not a URI', false],
  ])('%s: %s', (uri, expected) => expect(allowsRedirect(uri, allow)).toBe(expected))

  it('allows nothing by an empty list, and no loopback address unless the list has it', () => {
    expect(allowsRedirect('http://127.0.0.1/cb', [])).toBe(false)
    expect(allowsRedirect('http://127.0.0.1/cb', ['127.0.0.1'])).toBe(false)
  })
})

describe('readRegistration', () => {
  it('keeps what is known, and nothing that would be fetched', () => {
    const body = {
      client_name: 'Editor',
      redirect_uris: ['http://127.0.0.1/cb'],
      jwks_uri: 'http://169.254.169.254/',
      sector_identifier_uri: 'http://10.0.0.1/',
      logo_uri: 'http://10.0.0.1/',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
    }
    expect(readRegistration(body, allow)).toEqual({
      metadata: {
        client_name: 'Editor',
        redirect_uris: ['http://127.0.0.1/cb'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
    })
  })

  it('keeps no characters in a name that reorder the text around it', () => {
    const body = { client_name: 'Edi\u202etor\n', redirect_uris: ['http://127.0.0.1/cb'] }
    expect(readRegistration(body, allow)).toMatchObject({ metadata: { client_name: 'Edi tor' } })
  })

  it('gives a program on the computer of a person no secret', () => {
    const body = { redirect_uris: ['http://127.0.0.1/cb'], token_endpoint_auth_method: 'client_secret_basic' }
    expect(readRegistration(body, allow)).toMatchObject({ metadata: { token_endpoint_auth_method: 'none' } })
  })

  it.each([
    ['one address has NUL', { redirect_uris: ['http://127.0.0.1/\0'] }],
    ['one address of two is not on the list', { redirect_uris: ['http://127.0.0.1/', 'https://evil.test/'] }],
    ['there is no address', { redirect_uris: [] }],
    ['the addresses are no list', { redirect_uris: 'http://127.0.0.1/' }],
    ['it is no object', 'text'],
  ])('refuses when %s', (_case, body) => expect(readRegistration(body, allow)).toHaveProperty('error'))
})

it.each<[string[] | undefined, string[] | undefined]>([
  [undefined, ['authorization_code', 'refresh_token']],
  [['authorization_code'], ['authorization_code']],
  [['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'], ['authorization_code']],
  [['urn:ietf:params:oauth:grant-type:device_code'], undefined],
  [['refresh_token'], undefined],
  [[], undefined],
])('A program that asks for the grants %j gets %j', (grants, expected) => {
  const result = readRegistration({ redirect_uris: ['http://127.0.0.1/cb'], grant_types: grants }, allow)
  if (expected) expect(result).toMatchObject({ metadata: { grant_types: expected } })
  else expect(result).toMatchObject({ error: 'invalid_client_metadata' })
})
