import { describe, expect, it } from '@jest/globals'
import {
  apiAddress,
  chooseAccount,
  needsRenewal,
  withLogin,
  withRenewal,
  withoutToken,
  withToken,
  type Credentials,
} from './credentials.rules.ts'

const saved: Credentials = {
  version: 1,
  current: 'https://a.example',
  tokens: { 'https://a.example': 'token-a', 'https://b.example': 'token-b' },
}
const none = { url: undefined, token: undefined }

describe('the account of a command', () => {
  it.each<[title: string, Partial<typeof none> | object, string | undefined, unknown]>([
    ['the last login', none, undefined, { url: 'https://a.example', token: 'token-a' }],
    [
      'the address of a folder with its saved token',
      none,
      'https://b.example',
      { url: 'https://b.example', token: 'token-b' },
    ],
    [
      'the address of the environment',
      { ...none, url: 'https://b.example/v1/' },
      undefined,
      { url: 'https://b.example', token: 'token-b' },
    ],
    [
      'a token of the environment for the last login',
      { ...none, token: 'own' },
      undefined,
      { url: 'https://a.example', token: 'own' },
    ],
    [
      'a token and an address of the environment',
      { url: 'https://c.example', token: 'own' },
      undefined,
      { url: 'https://c.example', token: 'own' },
    ],
    [
      'no token of the environment for an address that only a folder names',
      { ...none, token: 'own' },
      'https://evil.example',
      expect.stringContaining('recto login'),
    ],
    [
      'no token of the environment in place of the saved one of a folder',
      { ...none, token: 'own' },
      'https://b.example',
      { url: 'https://b.example', token: 'token-b' },
    ],
    [
      'no address that differs from that of the folder',
      { url: 'https://a.example', token: 'own' },
      'https://b.example',
      expect.stringContaining('RECTO_URL'),
    ],
    ['no address that is none', { ...none, url: 'file:///etc' }, undefined, expect.stringContaining('no address')],
    [
      'no token of an address without login',
      { ...none, url: 'https://constructor' },
      undefined,
      expect.stringContaining('login'),
    ],
  ])('is %s', (_title, override, folderUrl, account) =>
    expect(chooseAccount(saved, { ...none, ...override }, folderUrl)).toEqual(account),
  )

  it('A token is saved and deleted by its address', () => {
    const credentials = withToken(saved, 'https://c.example', 'token-c')
    expect([credentials.current, credentials.tokens['https://c.example']]).toEqual(['https://c.example', 'token-c'])
    expect(withoutToken(saved, 'https://a.example')).toEqual({
      version: 1,
      tokens: { 'https://b.example': 'token-b' },
    })
  })

  it('A login by a browser is renewed before its token ends, and leaves nothing behind', () => {
    const renewal = { refreshToken: 'refresh', expiresAt: 10_000_000 }
    const credentials = withLogin(saved, 'https://a.example', { token: 'token', renewal })
    expect(credentials.renewals).toEqual({ 'https://a.example': renewal })
    const at = (now: number, url = 'https://a.example') => needsRenewal(credentials, url, now)
    expect([at(9_000_000), at(9_200_000), at(11_000_000), at(11_000_000, 'https://b.example')]).toEqual([
      false,
      true,
      true,
      false,
    ])
    const renewed = withRenewal({ ...credentials, current: 'https://b.example' }, 'https://a.example', {
      token: 'next',
      renewal,
    })
    expect([renewed.current, renewed.tokens['https://a.example']]).toEqual(['https://b.example', 'next'])
    expect(withToken(credentials, 'https://a.example', 'typed').renewals).toEqual({})
    expect(withoutToken(credentials, 'https://a.example')).toEqual({
      version: 1,
      tokens: { 'https://b.example': 'token-b' },
      renewals: {},
    })
  })

  it.each([
    ['https://a.example/', 'https://a.example'],
    ['http://127.0.0.1:3000/v1', 'http://127.0.0.1:3000'],
    ['https://a.example/docs/', 'https://a.example/docs'],
    ['https://user:password@a.example', undefined],
    ['a.example', undefined],
  ])('The address %s is %s', (text, url) => expect(apiAddress(text)).toBe(url))
})
