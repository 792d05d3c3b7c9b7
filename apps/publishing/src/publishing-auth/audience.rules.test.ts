import { SignJWT } from 'jose'
import { describe, expect, it } from '@jest/globals'
import { newSiteKey, siteKeys } from './keys.ts'
import { basenameIn } from '../addresses/addresses.rules.ts'
import { ownParts, readUrl } from '../addresses/site-address.rules.ts'
import { unsignedClaims } from './unsigned-claims.rules.ts'
import { verifyVisitorJwt } from './visitor-jwt.ts'

const sitesUrl = 'https://{basename}.docs.test'

describe('the address of a site', () => {
  it.each([
    ['https://Acme.docs.test/a%20b/c?x=1', { host: 'acme.docs.test', parts: ['a b', 'c'] }],
    ['https://acme.docs.test:8080/', { host: 'acme.docs.test', parts: [] }],
    ['https://acme.docs.test/%00a', { host: 'acme.docs.test', parts: ['%00a'] }],
    ['https://acme.docs.test./a', { host: 'acme.docs.test', parts: ['a'] }],
    ['https://acme.docs.test/%E0%A4%A', { host: 'acme.docs.test', parts: ['%E0%A4%A'] }],
    ['nothing', undefined],
  ])('is read from %s', (url, expected) => {
    expect(readUrl(url)).toEqual(expected)
  })

  it.each([
    ['acme.docs.test', 'acme'],
    ['a.b.docs.test', undefined],
    ['docs.test', undefined],
    ['.docs.test', undefined],
    ['acme.example', undefined],
  ])('%s has the basename %s', (host, expected) => {
    expect(basenameIn(host, sitesUrl)).toBe(expected)
  })

  it.each([
    ['hostname', { hostname: 'other.docs.test', proxy: null }],
    ['proxy', { hostname: null, proxy: 'other.docs.test/a' }],
  ])('at a host of the installation is not decided by a %s', (_field, chosen) => {
    const address = readUrl('https://other.docs.test/a') ?? { host: '', parts: [] }
    expect(ownParts({ basename: 'acme', ...chosen }, address, sitesUrl)).toBeUndefined()
  })

  const site = { basename: 'acme', hostname: 'docs.acme.test', proxy: 'Acme.test/help' }
  it.each([
    ['https://acme.docs.test/a', 0],
    ['https://docs.acme.test/a', 0],
    ['https://acme.test/help/a', 1],
    ['https://acme.test/HELP', 1],
    ['https://acme.test/other', undefined],
    ['https://other.docs.test/', undefined],
  ])('%s is that of the site behind %s parts', (url, expected) => {
    expect(ownParts(site, readUrl(url) ?? { host: '', parts: [] }, sitesUrl)).toBe(expected)
  })
})

describe('claims without proof', () => {
  const properties = {
    beta: { type: 'boolean', description: 'Beta' },
    plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan' },
  }
  const schema = { type: 'object', properties: { unsigned: { type: 'object', properties } } }
  it('are left out when they are too long for the token that they become part of', () => {
    const name = { type: 'string', description: 'Name' }
    const schemaOfName = { type: 'object', properties: { unsigned: { type: 'object', properties: { name } } } }
    expect(unsignedClaims({ name: 'x'.repeat(2_000) }, schemaOfName)).toEqual({ name: 'x'.repeat(2_000) })
    expect(unsignedClaims({ name: 'x'.repeat(2_048) }, schemaOfName)).toEqual({})
  })

  it.each<[Record<string, unknown> | undefined, Record<string, unknown>]>([
    [undefined, {}],
    [
      { beta: true, plan: 'pro' },
      { beta: true, plan: 'pro' },
    ],
    [{ beta: 'yes', plan: 'gold', other: 1 }, {}],
    [JSON.parse('{"__proto__": {"beta": true}, "constructor": true}') as Record<string, unknown>, {}],
  ])('%j are %j', (claims, expected) => {
    expect(unsignedClaims(claims, schema)).toEqual(expected)
    expect(unsignedClaims(claims, undefined)).toEqual({})
  })
})

describe('the key of a site', () => {
  it('is stored encrypted, for its site and under its secret', () => {
    const key = newSiteKey()
    const sealed = siteKeys.seal(key, 'site', ['secret'])
    expect(sealed.includes(key)).toBe(false)
    expect(siteKeys.unseal(sealed, 'site', ['secret'])).toBe(key)
    expect(() => siteKeys.unseal(sealed, 'another', ['secret'])).toThrow()
    expect(() => siteKeys.unseal(sealed, 'site', ['another'])).toThrow()
  })
})

describe("the token of a visitor's login server", () => {
  const key = newSiteKey()
  const before = newSiteKey()
  const now = Math.floor(Date.now() / 1000)
  const sign = (payload: object, by = key, alg = 'HS256') =>
    new SignJWT({ exp: now + 60, ...payload }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(by))
  const expected = { keys: [key, before], audiences: ['https://acme.docs.test'] }
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"exp":${now + 60}}`).toString('base64url')}.`

  it.each<[string, () => Promise<string> | string, object]>([
    ['with claims', () => sign({ plan: 'pro', sub: 'ada', iat: now }), { claims: { plan: 'pro' } }],
    ['for this site', () => sign({ aud: 'https://acme.docs.test', a: 1 }), { claims: { a: 1 } }],
    ['by the key before the rotation', () => sign({ a: 1 }, before), { claims: { a: 1 } }],
    ['that has expired', () => sign({ exp: now - 120 }), { refusal: 'The login has expired' }],
    ['that never expires', () => sign({ exp: undefined }), { refusal: 'The login is not valid' }],
    ['for another site', () => sign({ aud: 'https://other.docs.test' }), { refusal: 'The login is for another site' }],
    ['by another key', () => sign({}, newSiteKey()), { refusal: 'The login is not valid' }],
    ['by another algorithm', () => sign({}, `${key}${key}`, 'HS512'), { refusal: 'The login is not valid' }],
    ['without a signature', () => none, { refusal: 'The login is not valid' }],
    ['that is none', () => 'nothing', { refusal: 'The login is not valid' }],
  ])('%s', async (_case, token, result) => {
    expect(await verifyVisitorJwt(await token(), expected)).toEqual(result)
  })

  it('is refused by a site without keys', async () => {
    expect(await verifyVisitorJwt(await sign({}), { keys: [], audiences: [] })).toEqual({
      refusal: 'The login is not valid',
    })
  })
})
