import { expect, it } from '@jest/globals'
import { claimAt, providerClaims } from './provider-claims.rules.ts'

const claims = {
  sub: 'ada',
  email: 'ada@example.com',
  iss: 'https://login.test',
  nonce: 'x',
  groups: ['a', 'b'],
  'https://acme.com/plan': 'pro',
  'https://acme.com/app': { tier: 'gold', 'a.b': 1 },
  realm_access: { roles: ['editor'], 'x.y': { z: true } },
  'realm_access.roles': undefined,
  nothing: null,
}

it.each<[string, unknown]>([
  ['sub', 'ada'],
  ['https://acme.com/plan', 'pro'],
  ['https://acme.com/app.tier', 'gold'],
  ['https://acme.com/app.a.b', 1],
  ['realm_access.roles', ['editor']],
  ['realm_access.x.y.z', true],
  ['realm_access.x.y', { z: true }],
  ['realm_access.absent', undefined],
  ['groups.0', undefined],
  ['sub.length', undefined],
  ['__proto__', undefined],
  ['constructor.name', undefined],
  ['.', undefined],
  ['', undefined],
  ['realm_access.', undefined],
])('The claim at %j is %j', (path, expected) => {
  expect(claimAt(claims, path)).toEqual(expected)
})

it('A name with dots comes before the names that it could be made of', () => {
  expect(claimAt({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1)
  expect(claimAt({ 'a.b': { c: 1 }, a: { 'b.c': 2 } }, 'a.b.c')).toBe(1)
})

it('A path of many dots is no work', () => {
  expect(claimAt({ a: {} }, 'a.'.repeat(128))).toBeUndefined()
})

const nested = (levels: number): unknown => (levels === 0 ? 1 : { below: nested(levels - 1) })

it.each<[string, Record<string, unknown>, Record<string, string> | null, object]>([
  ['without a mapping', claims, null, { claims: { sub: 'ada', email: 'ada@example.com', groups: ['a', 'b'] } }],
  [
    'with a mapping',
    claims,
    { plan: 'https://acme.com/plan', roles: 'realm_access.roles', absent: 'x', empty: 'nothing' },
    { claims: { plan: 'pro', roles: ['editor'] } },
  ],
  ['with an empty mapping', claims, {}, { claims: {} }],
  ['of five levels', { a: nested(5) }, { a: 'a' }, { claims: { a: nested(5) } }],
  ['of six levels', { a: nested(6) }, { a: 'a' }, { refusal: expect.stringContaining('levels') }],
  ['of too many characters', { a: 'x'.repeat(3_000) }, { a: 'a' }, { refusal: expect.stringContaining('larger') }],
  ['that are large and not mapped', { a: 'x'.repeat(9_000), b: 1 }, { b: 'b' }, { claims: { b: 1 } }],
])('Claims %s', (_title, ofProvider, mapping, expected) => {
  expect(providerClaims(ofProvider, mapping)).toEqual(expected)
})
