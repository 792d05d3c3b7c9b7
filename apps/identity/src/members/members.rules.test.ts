import type { Role } from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import { requireAdminLeft, requireJwt } from './members.rules.ts'

describe('requireAdminLeft', () => {
  it.each<[string, Role | null, Role | null | undefined, number, boolean]>([
    ['the last admin is not demoted', 'admin', 'create', 1, false],
    ['the last admin is not made a guest', 'admin', null, 1, false],
    ['the last admin is not removed', 'admin', undefined, 1, false],
    ['the last admin may stay admin', 'admin', 'admin', 1, true],
    ['one of two admins may be demoted', 'admin', 'read', 2, true],
    ['one of two admins may be removed', 'admin', undefined, 2, true],
    ['a member who is no admin may be removed', 'create', undefined, 1, true],
    ['a guest may become admin', null, 'admin', 1, true],
  ])('%s', (_case, role, next, admins, allowed) => {
    const attempt = () => requireAdminLeft({ role, next, admins })
    if (allowed) expect(attempt).not.toThrow()
    else expect(attempt).toThrow('last admin')
  })
})

describe('requireJwt', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [header, claims] = [part({ alg: 'HS256' }), part({ plan: 'pro' })]

  it('takes a signed one', () => expect(() => requireJwt(`${header}.${claims}.c2ln`)).not.toThrow())

  it.each([
    ['no JWT', 'claims'],
    ['two parts', `${header}.${claims}`],
    ['four parts', `${header}.${claims}.c2ln.c2ln`],
    ['no signature', `${header}.${claims}.`],
    ['an unsigned one', `${part({ alg: 'None' })}.${claims}.c2ln`],
    ['a header without algorithm', `${part({})}.${claims}.c2ln`],
    ['claims that are no object', `${header}.${part(['a'])}.c2ln`],
    ['claims that are no JSON', `${header}.e30x.c2ln`],
    ['other characters', `${header}.${claims}.c2l=`],
  ])('refuses %s', (_case, token) => {
    const refused = expect.objectContaining({ code: 'invalid_request', details: [{ path: 'body.serviceVisitorClaims', message: 'must be a signed JWT' }] })
    expect(() => requireJwt(token)).toThrow(refused)
  })
})
