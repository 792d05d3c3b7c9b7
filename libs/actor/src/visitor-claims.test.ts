import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, it } from '@jest/globals'
import { keysFor } from './derived-keys.ts'
import {
  looksLikeVisitorClaims,
  signVisitorClaims,
  verifyVisitorClaims,
  type VisitorClaimsInput,
} from './visitor-claims.ts'
import { signVisitorToken, visitorTokenKeys } from './visitor-token.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'
const publicUrl = 'http://recto.test'
const now = Date.now()
const hour = 3_600
const member = { userId: 'ada', email: 'ada@recto.test', displayName: 'Ada' }
const membership = { organization: 'org', role: 'edit' as const, teams: ['writers'] }
const claims = {
  sub: 'ada',
  email: 'ada@recto.test',
  name: 'Ada',
  organization: 'org',
  role: 'edit',
  teams: ['writers'],
}

const sign = (more: Partial<VisitorClaimsInput> = {}, secrets = [secret]) =>
  signVisitorClaims({ member, membership, publicUrl, now, ...more }, secrets as [string])
const verify = (token: string, { organization = 'org', url = publicUrl, secrets = [secret] } = {}) =>
  verifyVisitorClaims(token, { organization, publicUrl: url }, secrets as [string])

describe('claims of a member', () => {
  it('identify them, the audience and the expiry', async () => {
    const token = await sign()
    const iat = Math.floor(now / 1000)
    const exp = Math.floor(now / 1000) + hour
    expect(decodeJwt(token)).toEqual({ ...claims, iss: publicUrl, aud: `${publicUrl}/v1/orgs/org/sites`, iat, exp })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'visitor+jwt' })
    expect(looksLikeVisitorClaims(token)).toBe(true)
    expect(await verify(token)).toEqual(claims)
  })

  it('of a guest have the role guest', async () => {
    const guest = await sign({ membership: { organization: 'org', role: null, teams: [] } })
    expect(await verify(guest)).toMatchObject({ role: 'guest', teams: [] })
  })

  it('expire with the token of the request', async () => {
    const expiry = async (tokenExpiresAt: number) => decodeJwt(await sign({ tokenExpiresAt })).exp
    expect(await expiry(now + 60_000)).toBe(Math.floor(now / 1000) + 60)
    expect(await expiry(now + 86_400_000)).toBe(Math.floor(now / 1000) + hour)
  })

  it('are valid after the secret was rotated, until the one that signed them is dropped', async () => {
    const token = await sign()
    expect(await verify(token, { secrets: ['the next secret', secret] })).toEqual(claims)
    expect(await verify(token, { secrets: ['the next secret'] })).toBeUndefined()
  })

  const [key] = keysFor([secret], 'recto visitor claims')
  const forged = ({ alg = 'HS256', typ = 'visitor+jwt', iss = publicUrl, aud = `${publicUrl}/v1/orgs/org/sites` }) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg, typ })
      .setIssuer(iss)
      .setAudience(aud)
      .setExpirationTime('1h')
      .sign(key)
  const visitor = { organization: 'org', site: 's', version: 1, spaces: [], claims: {} }

  it.each<[string, () => Promise<unknown>, unknown]>([
    ['as they are', async () => verify(await forged({})), claims],
    ['after an hour', async () => verify(await sign({ now: now - hour * 1000 - 1000 })), 'expired'],
    ['for another organization', async () => verify(await sign(), { organization: 'other' }), undefined],
    ['of another installation', async () => verify(await sign(), { url: 'http://elsewhere.test' }), undefined],
    ['signed with another secret', async () => verify(await sign({}, ['another secret'])), undefined],
    ['of another type', async () => verify(await forged({ typ: 'JWT' })), undefined],
    ['with another algorithm', async () => verify(await forged({ alg: 'HS512' })), undefined],
    ['of another issuer', async () => verify(await forged({ iss: 'http://elsewhere.test' })), undefined],
    ['for another audience', async () => verify(await forged({ aud: publicUrl })), undefined],
    [
      'that are the token of a visitor',
      async () =>
        verify(
          await signVisitorToken({ visitor, place: { siteSpace: 'x', space: 'x' }, now }, visitorTokenKeys([secret])),
        ),
      undefined,
    ],
    ['that were changed', async () => verify((await sign()).replace(/\.[^.]+\./, '.e30.')), undefined],
    ['that are none', async () => verify('nothing'), undefined],
  ])('verified %s', async (_case, verified, expected) => expect(await verified()).toEqual(expected))

  it.each(['', 'nothing', 'a.b.c'])('are told from "%s"', token => expect(looksLikeVisitorClaims(token)).toBe(false))
})
