import { describe, expect, it, test } from '@jest/globals'
import { parseCookies, readIntroduction, visitorOf, visitorCookies, writeClaims } from './visitor.rules.ts'

describe('the query of a visitor', () => {
  it.each([
    ['', { claims: {}, rest: '', isOne: false }],
    ['a=1&b=2', { claims: {}, rest: 'a=1&b=2', isOne: false }],
    ['jwt_token=x.y.z&a=1', { token: 'x.y.z', claims: {}, rest: 'a=1', isOne: true }],
    ['visitor.beta=true&visitor.plan=pro', { claims: { beta: true, plan: 'pro' }, rest: '', isOne: true }],
    ['visitor.user.plan=pro', { claims: { user: { plan: 'pro' } }, rest: '', isOne: true }],
    ['visitor.user=x&visitor.user.plan=pro', { claims: { user: { plan: 'pro' } }, rest: '', isOne: true }],
    ['visitor.__proto__.admin=true', { claims: {}, rest: '', isOne: false }],
    ['visitor.constructor.prototype.x=1', { claims: {}, rest: '', isOne: false }],
    ['token=abc', { claims: {}, rest: 'token=abc', isOne: false }],
  ])('%s', (query, expected) => expect(readIntroduction(query, false)).toEqual(expected))

  it('has the token of a preview', () =>
    expect(readIntroduction('token=abc&jwt_token=x', true)).toEqual({
      token: 'abc',
      claims: {},
      rest: 'jwt_token=x',
      isOne: true,
    }))

  it.each([
    ['x', 4_000, undefined],
    ['x', 4_001, true],
    // Three characters each in a cookie.
    ['%20', 1_334, true],
  ])('says that a token of "%s", %i times, is too long: %s', (letter, times, isTooLong) => {
    const { token, ...more } = readIntroduction(`jwt_token=${letter.repeat(times)}`, false)
    expect([token === undefined, more.isTooLong, more.isOne]).toEqual([isTooLong === true, isTooLong, true])
  })
})

test('what a visitor said is read from their cookies again', () => {
  const claims = { plan: 'größer', user: { beta: true } }
  const cookies = parseCookies(`a=1; ${visitorCookies.token}=x.y.z; ${visitorCookies.claims}=${writeClaims(claims)}`)
  expect(visitorOf(cookies)).toEqual({ jwtToken: 'x.y.z', unsignedClaims: claims })
})

test.each(['', 'x', 'e30', 'W10', 'bnVsbA', '%00'])('claims of "%s" are none', text =>
  expect(visitorOf({ [visitorCookies.claims]: text })).toEqual({ unsignedClaims: {} }),
)

test('claims that no cookie has room for are left out', () =>
  expect(writeClaims({ text: 'x'.repeat(3_000) })).toBeUndefined())

test('the first cookie of a name counts', () =>
  expect(parseCookies('a=1; a=2;b = 3;=4; __proto__=5')).toEqual({ a: '1', b: '3' }))
