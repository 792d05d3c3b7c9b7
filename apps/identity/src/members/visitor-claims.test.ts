import { decodeProtectedHeader, jwtVerify } from 'jose'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, type TestUser } from '../test/factories.ts'
import { anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { visitorAudience, visitorClaims, visitorKey, type VisitorClaimsInput } from './visitor-claims.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'
const key = visitorKey(secret)
const publicUrl = 'http://recto.test'
const audience = visitorAudience(publicUrl, 'org')
const now = Date.now()
const hour = 3_600

function claimsOf(more: Partial<VisitorClaimsInput> = {}): Promise<string> {
  const member = { userId: 'ada', email: 'ada@recto.test', displayName: 'Ada' }
  return visitorClaims({
    member,
    membership: { organization: 'org', role: 'edit', teams: ['writers'] },
    publicUrl,
    key,
    now,
    ...more,
  })
}
const read = async (token: string, options = {}) =>
  (await jwtVerify(token, key, { issuer: publicUrl, audience, typ: 'visitor+jwt', algorithms: ['HS256'], ...options }))
    .payload

describe('claims of a visitor', () => {
  it('identify a member, the audience and the expiry', async () => {
    const token = await claimsOf()
    const [iat, exp] = [Math.floor(now / 1000), Math.floor(now / 1000) + hour]
    expect(await read(token)).toEqual({
      iss: publicUrl,
      aud: audience,
      sub: 'ada',
      iat,
      exp,
      email: 'ada@recto.test',
      name: 'Ada',
      organization: 'org',
      role: 'edit',
      teams: ['writers'],
    })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'visitor+jwt' })
  })

  it('of a guest have the role guest', async () => {
    expect(await read(await claimsOf({ membership: { organization: 'org', role: null, teams: [] } }))).toMatchObject({
      role: 'guest',
      teams: [],
    })
  })

  it('expire with the token of the request', async () => {
    expect((await read(await claimsOf({ tokenExpiresAt: now + 60_000 }))).exp).toBe(Math.floor(now / 1000) + 60)
    expect((await read(await claimsOf({ tokenExpiresAt: now + 86_400_000 }))).exp).toBe(Math.floor(now / 1000) + hour)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['after an hour', async () => read(await claimsOf(), { currentDate: new Date(now + hour * 1000 + 1000) })],
    ['for another organization', async () => read(await claimsOf(), { audience: visitorAudience(publicUrl, 'other') })],
    ['of another installation', async () => read(await claimsOf(), { issuer: 'http://elsewhere.test' })],
    ['signed by the secret itself', async () => read(await claimsOf({ key: new TextEncoder().encode(secret) }))],
    [
      'that were changed',
      async () =>
        read(
          (await claimsOf()).replace(
            /\.[^.]+\./,
            `.${Buffer.from(JSON.stringify({ iss: publicUrl, aud: audience, sub: 'eve', exp: 9e9 })).toString('base64url')}.`,
          ),
        ),
    ],
  ])('are refused %s', async (_case, attempt) => {
    await expect(attempt()).rejects.toThrow()
  })
})

describe('a ping', () => {
  let identity: IdentitySetup
  let organization: { id: string; admin: TestUser }
  beforeAll(async () => {
    identity = await anIdentity()
    organization = await anOrganization(identity)
  })
  afterAll(() => identity.stop())
  const ping = async (user: TestUser) =>
    (await user.client()).updateOrganizationMemberLastSeenAt({ params: { organizationId: organization.id } })

  it('returns the claims of the caller, under both names', async () => {
    const member = await aMember(identity, organization.id, 'review', { displayName: 'Grace' })
    const team = await aTeam(identity, organization, { members: [member] })
    const { serviceVisitorClaims, gitbookVisitorClaims, ...more } = await ping(member)
    expect([more, gitbookVisitorClaims]).toEqual([{}, serviceVisitorClaims])
    const claims = await read(serviceVisitorClaims, { audience: visitorAudience(publicUrl, organization.id) })
    expect(claims).toMatchObject({
      sub: member.id,
      name: 'Grace',
      email: expect.stringContaining('@'),
      organization: organization.id,
      role: 'review',
      teams: [team],
    })
  })

  it('returns claims that cannot be used as an access token', async () => {
    const { serviceVisitorClaims } = await ping(organization.admin)
    expect(await identity.actorOf(serviceVisitorClaims)).toBeNull()
    expect(await identity.actorOf(`recto_${serviceVisitorClaims}`)).toBeNull()
  })

  it('is not_found for users outside the organization', async () => {
    const stranger = (await anOrganization(identity)).admin
    expect(await failure(ping(stranger))).toBe('not_found')
  })
})
