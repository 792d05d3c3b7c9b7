import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, aUser, type TestUser } from '../test/factories.ts'
import { adminToken, anIdentity, type IdentitySetup } from '../test/identity-setup.ts'

let identity: IdentitySetup
let organization: { id: string; admin: TestUser }
beforeAll(async () => {
  identity = await anIdentity()
  organization = await anOrganization(identity)
})
afterAll(() => identity.stop())

const here = () => ({ organizationId: organization.id })
const member = (role: Parameters<typeof aMember>[2] = 'read') => aMember(identity, organization.id, role)
const team = (options?: Parameters<typeof aTeam>[2]) => aTeam(identity, organization, options)

async function placesIn(teamId: string): Promise<Record<string, string>> {
  const list = await (
    await organization.admin.client()
  ).listTeamMembersInOrganizationById({ params: { ...here(), teamId } })
  expect(list.count).toBe(list.items.length)
  return Object.fromEntries(list.items.map(item => [item.organization.id, item.team.role]))
}

describe('a team', () => {
  it('is created by an admin with members of the organization', async () => {
    const one = await member()
    const two = await member()
    const admin = await organization.admin.client()
    const made = await admin.createOrganizationTeam({
      params: here(),
      body: { title: 'Writers', members: [one.id, two.id, one.id] },
    })
    expect(made).toEqual({
      object: 'team',
      id: expect.any(String),
      title: 'Writers',
      members: 2,
      spaces: 0,
      createdAt: expect.any(String),
      permissions: { admin: true, view: true },
    })
    expect(await admin.getTeamInOrganizationById({ params: { ...here(), teamId: made.id } })).toEqual(made)
    expect(await placesIn(made.id)).toEqual({ [one.id]: 'member', [two.id]: 'member' })
    expect(await identity.actorOf(one.token)).toMatchObject({ memberships: [{ teams: [made.id] }] })
  })

  it('is not created with a user who is not a member', async () => {
    const stranger = await aUser(identity)
    const admin = await organization.admin.client()
    const before = await admin.listTeamsInOrganizationById({ params: here() })
    const made = admin.createOrganizationTeam({
      params: here(),
      body: { title: 'Odd', members: [organization.admin.id, stranger.id] },
    })
    await expect(made).rejects.toMatchObject({ code: 'not_found', details: [{ path: 'body.members.1' }] })
    expect(await failure(admin.createOrganizationTeam({ params: here(), body: { title: '' } }))).toBe('invalid_request')
    expect(await admin.listTeamsInOrganizationById({ params: here() })).toEqual(before)
  })

  it('is renamed and deleted by admins; deletion is idempotent', async () => {
    const owner = await member('create')
    const teamId = await team({ owners: [owner] })
    const params = { ...here(), teamId }
    const admin = await organization.admin.client()
    const other = await owner.client()
    expect(await failure(other.updateTeamInOrganizationById({ params, body: { title: 'Mine' } }))).toBe('forbidden')
    expect(await failure(other.removeTeamFromOrganizationById({ params }))).toBe('forbidden')
    expect(await admin.updateTeamInOrganizationById({ params, body: { title: 'Ours' } })).toMatchObject({
      title: 'Ours',
    })
    await admin.removeTeamFromOrganizationById({ params })
    await admin.removeTeamFromOrganizationById({ params })
    expect(await failure(admin.getTeamInOrganizationById({ params }))).toBe('not_found')
    expect(await failure(admin.updateTeamInOrganizationById({ params, body: { title: 'Gone' } }))).toBe('not_found')
    expect(await identity.actorOf(owner.token)).toMatchObject({ memberships: [{ teams: [] }] })
  })

  it('of another organization is not found, under either organization id', async () => {
    const elsewhere = await anOrganization(identity)
    const teamId = await aTeam(identity, elsewhere)
    const admin = await organization.admin.client()
    expect(await failure(admin.getTeamInOrganizationById({ params: { ...here(), teamId } }))).toBe('not_found')
    expect(await failure(admin.getTeamInOrganizationById({ params: { organizationId: elsewhere.id, teamId } }))).toBe(
      'not_found',
    )
    expect(
      await failure(
        admin.updateMembersInOrganizationTeam({
          params: { ...here(), teamId },
          body: { add: [organization.admin.id] },
        }),
      ),
    ).toBe('not_found')
    expect(
      await failure(
        admin.addMemberToOrganizationTeamById({ params: { ...here(), teamId, userId: organization.admin.id } }),
      ),
    ).toBe('not_found')
    await admin.removeTeamFromOrganizationById({ params: { ...here(), teamId } })
    await admin.deleteMemberFromOrganizationTeamById({ params: { ...here(), teamId, userId: elsewhere.admin.id } })
    expect(
      await (
        await elsewhere.admin.client()
      ).getTeamInOrganizationById({ params: { organizationId: elsewhere.id, teamId } }),
    ).toMatchObject({ id: teamId })
  })

  it('is visible to members, and to guests only if they own it', async () => {
    const guest = await member(null)
    const owner = await member(null)
    const reader = await member('read')
    const params = { ...here(), teamId: await team({ members: [guest], owners: [owner] }) }
    expect(await (await reader.client()).getTeamInOrganizationById({ params })).toMatchObject({
      permissions: { view: true, admin: false },
    })
    expect(await (await owner.client()).getTeamInOrganizationById({ params })).toMatchObject({
      permissions: { view: true, admin: false },
    })
    expect(await failure((await guest.client()).getTeamInOrganizationById({ params }))).toBe('not_found')
    expect(await failure((await guest.client()).listTeamMembersInOrganizationById({ params }))).toBe('not_found')
    expect(await failure((await guest.client()).listTeamsInOrganizationById({ params: here() }))).toBe('forbidden')
  })
})

describe('the members of a team', () => {
  it('are returned with their roles in the organization and in the team', async () => {
    const owner = await member('review')
    const teamId = await team({ owners: [owner] })
    const list = await (await owner.client()).listTeamMembersInOrganizationById({ params: { ...here(), teamId } })
    expect(list).toMatchObject({
      count: 1,
      items: [
        {
          organization: { object: 'member', id: owner.id, role: 'review', teams: 1 },
          team: { role: 'owner' },
          permissions: { view: true },
        },
      ],
    })
    const guest = await member(null)
    const mixed = { ...here(), teamId: await team({ owners: [guest], members: [owner] }) }
    const { items } = await (await guest.client()).listTeamMembersInOrganizationById({ params: mixed })
    expect(items.map(item => [item.organization.id, item.permissions.view]).sort()).toEqual(
      [
        [guest.id, true],
        [owner.id, false],
      ].sort(),
    )
    expect(
      await failure(
        (await owner.client()).listTeamMembersInOrganizationById({ params: { ...here(), teamId: 'nothing' } }),
      ),
    ).toBe('not_found')
  })

  it('are changed atomically, by id and by e-mail', async () => {
    const one = await member()
    const two = await member()
    const three = await member()
    const params = { ...here(), teamId: await team({ members: [one, two] }) }
    const admin = await organization.admin.client()
    await admin.updateMembersInOrganizationTeam({
      params,
      body: {
        add: [three.email.toUpperCase(), two.id],
        remove: [two.email],
        memberships: { [one.id]: { role: 'owner' } },
      },
    })
    expect(await placesIn(params.teamId)).toEqual({ [one.id]: 'owner', [three.id]: 'member' })
    const faulty = admin.updateMembersInOrganizationTeam({
      params,
      body: { add: [two.id, 'nobody'], remove: [one.id] },
    })
    await expect(faulty).rejects.toMatchObject({ code: 'not_found', details: [{ path: 'body.add.1' }] })
    expect(await placesIn(params.teamId)).toEqual({ [one.id]: 'owner', [three.id]: 'member' })
    expect(await identity.actorOf(two.token)).toMatchObject({ memberships: [{ teams: [] }] })
  })

  it('are managed by an owner, who cannot add outsiders', async () => {
    const owner = await member('read')
    const one = await member()
    const reader = await member('create')
    const params = { ...here(), teamId: await team({ owners: [owner] }) }
    const client = await owner.client()
    await client.updateMembersInOrganizationTeam({ params, body: { add: [one.id] } })
    await client.addMemberToOrganizationTeamById({ params: { ...params, userId: reader.id }, body: { role: 'owner' } })
    await client.deleteMemberFromOrganizationTeamById({ params: { ...params, userId: one.id } })
    expect(await placesIn(params.teamId)).toEqual({ [owner.id]: 'owner', [reader.id]: 'owner' })
    expect(
      await failure(client.updateMembersInOrganizationTeam({ params, body: { add: ['new@recto.test', one.id] } })),
    ).toBe('forbidden')
    expect(await placesIn(params.teamId)).toEqual({ [owner.id]: 'owner', [reader.id]: 'owner' })
    const outside = await one.client()
    const refused = [
      outside.updateMembersInOrganizationTeam({ params, body: { add: [one.id] } }),
      outside.addMemberToOrganizationTeamById({ params: { ...params, userId: one.id } }),
      outside.deleteMemberFromOrganizationTeamById({ params: { ...params, userId: owner.id } }),
    ]
    expect(await Promise.all(refused.map(failure))).toEqual(refused.map(() => 'forbidden'))
  })

  it('are added one by one; adding again without a role keeps the role', async () => {
    const one = await member()
    const params = { ...here(), teamId: await team(), userId: one.id }
    const admin = await organization.admin.client()
    await admin.addMemberToOrganizationTeamById({ params })
    expect(await placesIn(params.teamId)).toEqual({ [one.id]: 'member' })
    await admin.addMemberToOrganizationTeamById({ params, body: { role: 'owner' } })
    await admin.addMemberToOrganizationTeamById({ params })
    expect(await placesIn(params.teamId)).toEqual({ [one.id]: 'owner' })
    expect(await failure(admin.addMemberToOrganizationTeamById({ params: { ...params, userId: 'nobody' } }))).toBe(
      'not_found',
    )
    await admin.deleteMemberFromOrganizationTeamById({ params })
    await admin.deleteMemberFromOrganizationTeamById({ params })
    expect(await placesIn(params.teamId)).toEqual({})
  })

  it('are added once by concurrent requests', async () => {
    const people = await Promise.all([member(), member(), member()])
    const params = { ...here(), teamId: await team() }
    const admin = await organization.admin.client()
    await Promise.all(
      Array.from({ length: 12 }, (_, turn) => {
        const userId = people[turn % 3]?.id ?? ''
        return turn % 2 === 0
          ? admin.addMemberToOrganizationTeamById({ params: { ...params, userId } })
          : admin.updateMembersInOrganizationTeam({ params, body: { add: people.map(({ id }) => id) } })
      }),
    )
    expect(Object.keys(await placesIn(params.teamId)).toSorted()).toEqual(people.map(({ id }) => id).toSorted())
    expect(await admin.getTeamInOrganizationById({ params })).toMatchObject({ members: 3 })
  })

  it('invited by an e-mail without a user join when the user is created, unless the invite was deleted', async () => {
    const stayingEmail = `kept@${organization.id}.test`
    const withdrawn = `gone@${organization.id}.test`
    const params = { ...here(), teamId: await team() }
    const admin = await organization.admin.client()
    await admin.updateMembersInOrganizationTeam({
      params,
      body: { add: [stayingEmail.toUpperCase(), withdrawn], memberships: { [stayingEmail]: { role: 'owner' } } },
    })
    await admin.updateMembersInOrganizationTeam({ params, body: { remove: [withdrawn] } })
    expect(await placesIn(params.teamId)).toEqual({})
    const one = await aUser(identity, { email: stayingEmail })
    const two = await aUser(identity, { email: withdrawn })
    expect(await placesIn(params.teamId)).toEqual({ [one.id]: 'owner' })
    expect(await identity.actorOf(two.token)).toMatchObject({ memberships: [{ role: 'read', teams: [] }] })
  })

  it('with the e-mail of an existing user join at once', async () => {
    const outsider = await aUser(identity)
    const params = { ...here(), teamId: await team() }
    await (
      await organization.admin.client()
    ).updateMembersInOrganizationTeam({ params, body: { add: [outsider.email] } })
    expect(await placesIn(params.teamId)).toEqual({ [outsider.id]: 'member' })
    expect(await identity.actorOf(outsider.token)).toMatchObject({
      memberships: [{ organization: organization.id, role: 'read', teams: [params.teamId] }],
    })
  })
})

describe('a list of teams', () => {
  it('is filtered by title and by manageable teams', async () => {
    const listed = await anOrganization(identity)
    const owner = await aMember(identity, listed.id)
    for (const title of ['Alpha', 'alphabet', 'Beta'])
      await aTeam(identity, listed, { title, ...(title === 'Beta' && { owners: [owner] }) })
    const client = await owner.client()
    const titles = async (query: object) =>
      (await client.listTeamsInOrganizationById({ params: { organizationId: listed.id }, query })).items.map(
        ({ title }) => title,
      )
    expect(await titles({})).toEqual(['Beta', 'alphabet', 'Alpha'])
    expect(await titles({ title: 'ALPHA' })).toEqual(['alphabet', 'Alpha'])
    expect(await titles({ owner: owner.id })).toEqual(['Beta'])
    expect(await titles({ owner: listed.admin.id, title: 'bet' })).toEqual(['Beta', 'alphabet'])
    expect(
      await failure(
        client.listTeamsInOrganizationById({ params: { organizationId: listed.id }, query: { owner: 'nobody' } }),
      ),
    ).toBe('not_found')
    expect(
      await failure(
        (await identity.as(adminToken)).listTeamsInOrganizationById({ params: { organizationId: listed.id } }),
      ),
    ).toBe('not_found')
  })
})
