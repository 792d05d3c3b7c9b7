import { describe, expect, it, test } from '@jest/globals'
import { parseCookie } from 'cookie'
import { readIntroduction, visitorOf, visitorCookies, writeClaims } from './visitor.rules.ts'

describe('the query of a visitor', () => {
  it.each([
    ['', { claims: {}, rest: '', isOne: false }],
    ['a=1&b=2', { claims: {}, rest: 'a=1&b=2', isOne: false }],
    ['jwt_token=x.y.z&a=1', { token: 'x.y.z', claims: {}, rest: 'a=1', isOne: true }],
    ['jwt_token=&a=1', { claims: {}, rest: 'a=1', isOne: true }],
    ['jwt_token=rvs_abc&a=1', { claims: {}, rest: 'a=1', isOne: true }],
    ['visitor.beta=true&visitor.plan=pro', { claims: { beta: true, plan: 'pro' }, rest: '', isOne: true }],
    ['visitor.user.plan=pro', { claims: { user: { plan: 'pro' } }, rest: '', isOne: true }],
    ['visitor.user=x&visitor.user.plan=pro', { claims: { user: { plan: 'pro' } }, rest: '', isOne: true }],
    ['visitor.__proto__.admin=true', { claims: {}, rest: '', isOne: false }],
    ['visitor.constructor.prototype.x=1', { claims: {}, rest: '', isOne: false }],
    ['token=abc', { claims: {}, rest: 'token=abc', isOne: false }],
    ['visitor.size=5&visitor.beta=false', { claims: { size: '5', beta: false }, rest: '', isOne: true }],
    ['visitor.roles=a&visitor.roles=b&visitor.roles=c', { claims: { roles: ['a', 'b', 'c'] }, rest: '', isOne: true }],
    ['visitor.roles=a,b', { claims: { roles: 'a,b' }, rest: '', isOne: true }],
    ['visitor.user.plan=pro&visitor.user=x', { claims: { user: 'x' }, rest: '', isOne: true }],
    ['visitor.user=%7B%22plan%22%3A%22pro%22%7D', { claims: { user: '{"plan":"pro"}' }, rest: '', isOne: true }],
    [
      'visitor.is-staff=true&visitor.gr%C3%B6%C3%9Fe=5',
      { claims: { 'is-staff': true, größe: '5' }, rest: '', isOne: true },
    ],
    ['visitor.x+y.%22=1', { claims: { 'x y': { '"': '1' } }, rest: '', isOne: true }],
    ['visitor=%7B%22a.b%22%3Atrue%7D&visitor.c=1', { claims: { 'a.b': true, c: '1' }, rest: '', isOne: true }],
    ['visitor=%7B%22__proto__%22%3A1%2C%22a%22%3A2%7D', { claims: { a: 2 }, rest: '', isOne: true }],
    ['visitor=x&a=1', { claims: {}, rest: 'visitor=x&a=1', isOne: false }],
    ['visitor=%5B1%5D', { claims: {}, rest: 'visitor=%5B1%5D', isOne: false }],
    ['visitor..a=1&visitor.=2', { claims: {}, rest: 'visitor..a=1&visitor.=2', isOne: false }],
    ['visitor.a.b.c.d.e.f=1', { claims: {}, rest: 'visitor.a.b.c.d.e.f=1', isOne: false }],
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
  const cookies = parseCookie(`a=1; ${visitorCookies.token}=x.y.z; ${visitorCookies.claims}=${writeClaims(claims)}`)
  expect(visitorOf(cookies)).toEqual({ jwtToken: 'x.y.z', unsignedClaims: claims })
})

test.each(['', 'rvs_abc'])('a cookie that a link has set with the token "%s" brings none', token =>
  expect(visitorOf({ [visitorCookies.token]: token })).toEqual({ unsignedClaims: {} }),
)

test('claims of a name that is no plain key change nothing else', () => {
  const { claims } = readIntroduction('visitor.a.__proto__.b=1&visitor.hasOwnProperty.x=1&visitor.c=1', false)
  expect(claims).toEqual({ hasOwnProperty: { x: '1' }, c: '1' })
  expect(Object.getPrototypeOf({})).not.toHaveProperty('b')
})

test.each(['', 'x', 'e30', 'W10', 'bnVsbA', '%00'])('claims of "%s" are none', text =>
  expect(visitorOf({ [visitorCookies.claims]: text })).toEqual({ unsignedClaims: {} }),
)

test('claims that no cookie has room for are left out', () =>
  expect(writeClaims({ text: 'x'.repeat(3_000) })).toBeUndefined())
