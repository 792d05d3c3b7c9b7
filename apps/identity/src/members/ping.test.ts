import { verifyVisitorClaims } from '@recto/actor/visitor-claims'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, type TestUser } from '../test/factories.ts'
import { anIdentity, type IdentitySetup } from '../test/identity-setup.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'
const publicUrl = 'http://recto.test'

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
    const claims = await verifyVisitorClaims(serviceVisitorClaims, { organization: organization.id, publicUrl }, [
      secret,
    ])
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
