import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, aUser, type TestUser } from '../test/factories.ts'
import { adminToken, anIdentity, type IdentitySetup } from '../test/identity-setup.ts'

let identity: IdentitySetup
beforeAll(async () => void (identity = await anIdentity()))
afterAll(() => identity.stop())

const rounds = Array.from({ length: 8 }, (_, round) => round)

describe('an admin whose role was just revoked', () => {
  async function two(): Promise<{ id: string; admin: TestUser; other: TestUser }> {
    const organization = await anOrganization(identity)
    return { ...organization, other: await aMember(identity, organization.id, 'admin') }
  }

  it.each(rounds)('cannot restore it with a concurrent invite of themself (%i)', async () => {
    const { id, admin, other } = await two()
    const mine = await admin.client()
    const theirs = await other.client()
    const invite = () =>
      failure(
        theirs.inviteUsersToOrganization({
          params: { organizationId: id },
          body: { emails: [{ email: other.email, role: 'admin' }] },
        }),
      )
    const back = [invite(), invite(), invite()]
    await mine.removeMemberFromOrganizationById({ params: { organizationId: id, userId: other.id } })
    await Promise.all([...back, invite(), invite()])
    expect(await failure(mine.getMemberInOrganizationById({ params: { organizationId: id, userId: other.id } }))).toBe(
      'not_found',
    )
  })

  it.each(rounds)('can neither restore it nor change anything else (%i)', async () => {
    const { id, admin, other } = await two()
    const theirs = await other.client()
    const params = { organizationId: id }
    await (
      await admin.client()
    ).updateMemberInOrganizationById({ params: { ...params, userId: other.id }, body: { role: 'read' } })
    const attempts = [
      theirs.updateMemberInOrganizationById({ params: { ...params, userId: other.id }, body: { role: 'admin' } }),
      theirs.updateOrganizationById({ params, body: { title: 'Theirs' } }),
      theirs.createOrganizationTeam({ params, body: { title: 'Theirs' } }),
      theirs.createOrganizationInvite({ params, body: { role: 'admin' } }),
      theirs.createOrganizationSAMLProvider({ params, body: { label: 'Theirs' } }),
      theirs.removeMemberFromOrganizationById({ params: { ...params, userId: admin.id } }),
    ]
    expect(await Promise.all(attempts.map(failure))).toEqual(attempts.map(() => 'forbidden'))
  })
})

describe('concurrent changes', () => {
  const expected = [undefined, 'not_found', 'conflict']

  it.each(rounds)('succeed or are refused, without a deadlock (%i)', async () => {
    const organization = await anOrganization(identity)
    const member = await aMember(identity, organization.id)
    const stays = await aMember(identity, organization.id)
    const teamId = await aTeam(identity, organization)
    const doomed = await aTeam(identity, organization)
    const here = { organizationId: organization.id }
    const email = `${createId().toLowerCase()}@recto.test`
    const client = await organization.admin.client()
    const platform = await identity.as(adminToken)
    await client.updateMembersInOrganizationTeam({ params: { ...here, teamId: doomed }, body: { add: [email] } })
    const calls = [
      platform.createUser({ body: { email, displayName: 'New' } }),
      client.removeTeamFromOrganizationById({ params: { ...here, teamId: doomed } }),
      client.updateMembersInOrganizationTeam({
        params: { ...here, teamId },
        body: { add: [member.id, stays.email, `${email}.test`], remove: [email] },
      }),
      client.removeMemberFromOrganizationById({ params: { ...here, userId: member.id } }),
      client.createOrganizationTeam({ params: here, body: { title: 'New', members: [member.id, stays.id] } }),
      client.addMemberToOrganizationTeamById({ params: { ...here, teamId: doomed, userId: stays.id } }),
      client.inviteUsersToOrganization({ params: here, body: { emails: [email, member.email] } }),
      client.updateOrganizationById({ params: here, body: { sso: true } }),
    ]
    const codes = await Promise.all(calls.map(failure))
    expect(codes.filter(code => !expected.includes(code as undefined))).toEqual([])
    expect(codes[0]).toBeUndefined()
  })
})

describe('a member without the required single sign-on', () => {
  it('may leave the organization', async () => {
    const { id, admin } = await anOrganization(identity)
    const member = await aMember(identity, id, 'create')
    const client = await admin.client()
    await client.updateOrganizationById({ params: { organizationId: id }, body: { sso: true } })
    const barred = await member.client()
    expect(
      await failure(barred.removeMemberFromOrganizationById({ params: { organizationId: id, userId: admin.id } })),
    ).toBe('forbidden')
    await barred.removeMemberFromOrganizationById({ params: { organizationId: id, userId: member.id } })
    expect(
      await failure(client.getMemberInOrganizationById({ params: { organizationId: id, userId: member.id } })),
    ).toBe('not_found')
  })
})

describe('emails as identifiers', () => {
  it.each(['@', 'not an e mail @ all', 'half\ud800@recto.test', 'İ@recto.test'])('as %j are refused', async person => {
    const organization = await anOrganization(identity)
    const params = { organizationId: organization.id, teamId: await aTeam(identity, organization) }
    const client = await organization.admin.client()
    for (const body of [
      { add: [person] },
      { remove: [person] },
      { memberships: { [person]: { role: 'owner' as const } } },
    ]) {
      expect(await failure(client.updateMembersInOrganizationTeam({ params, body }))).toBe('invalid_request')
    }
  })

  it('an e-mail invited as owner stays owner when it is added to the team', async () => {
    const organization = await anOrganization(identity)
    const params = { organizationId: organization.id, teamId: await aTeam(identity, organization) }
    const client = await organization.admin.client()
    const email = `${createId().toLowerCase()}@recto.test`
    await client.updateMembersInOrganizationTeam({ params, body: { memberships: { [email]: { role: 'owner' } } } })
    await client.updateMembersInOrganizationTeam({ params, body: { add: [email] } })
    await aUser(identity, { email })
    const { items } = await client.listTeamMembersInOrganizationById({ params })
    expect(items.map(({ team }) => team.role)).toEqual(['owner'])
  })
})
