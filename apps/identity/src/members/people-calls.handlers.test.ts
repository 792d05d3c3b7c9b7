import { busClient } from '@recto/bus'
import { peopleCalls } from '@recto/contracts-identity-bus'
import { query } from '@recto/database'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, type TestUser } from '../test/factories.ts'
import { anIdentity, type IdentitySetup } from '../test/identity-setup.ts'

let identity: IdentitySetup
let people: ReturnType<typeof clientOf>
let stop: () => Promise<void>

beforeAll(async () => {
  identity = await anIdentity()
  const content = await identity.connectAs('content')
  people = clientOf(content)
  stop = async () => {
    await content.drain()
    await identity.stop()
  }
})
afterAll(() => stop())

const clientOf = (content: Awaited<ReturnType<IdentitySetup['connectAs']>>) =>
  busClient(content, peopleCalls, { service: 'identity' })
const actorOf = async (user: TestUser) =>
  (await identity.actorOf(user.token)) as NonNullable<Awaited<ReturnType<IdentitySetup['actorOf']>>>

it('describeOrganizations returns organizations with the permissions of the actor, and leaves out unknown ones', async () => {
  const here = await anOrganization(identity)
  const elsewhere = await anOrganization(identity)
  const actor = await actorOf(await aMember(identity, here.id))
  const body = { actor, organizations: [here.id, elsewhere.id, 'nothing'] }
  const { organizations } = await people.describeOrganizations({ body })
  expect(organizations.map(({ id }) => id).toSorted()).toEqual([here.id, elsewhere.id].toSorted())
  expect(organizations.find(({ id }) => id === here.id)).toMatchObject({ permissions: { view: true, admin: false } })
  expect(organizations.find(({ id }) => id === elsewhere.id)).toMatchObject({ permissions: { view: false } })
})

it('describeMembers returns members and guests of the organization as lists show them, and no others', async () => {
  const here = await anOrganization(identity)
  const elsewhere = await anOrganization(identity)
  const member = await aMember(identity, here.id)
  const guest = await aMember(identity, here.id, null)
  await aTeam(identity, here, { owners: [member] })
  const actor = await actorOf(member)
  const users = [member.id, guest.id, elsewhere.admin.id, 'nobody']
  const { members } = await people.describeMembers({ body: { actor, organization: here.id, users } })
  expect(members.map(({ id }) => id).toSorted()).toEqual([member.id, guest.id].toSorted())
  expect(members.find(({ id }) => id === member.id)).toMatchObject({
    object: 'member',
    role: 'read',
    user: { object: 'user', displayName: 'Ada' },
    disabled: false,
    sso: false,
    teams: 1,
  })
  expect(members.find(({ id }) => id === guest.id)).toMatchObject({ role: null, teams: 0 })
})

describe('describePeople', () => {
  it('returns users and teams of the organization as visible to the actor, and no others', async () => {
    const here = await anOrganization(identity)
    const elsewhere = await anOrganization(identity)
    const member = await aMember(identity, here.id)
    const guest = await aMember(identity, here.id, null)
    const team = await aTeam(identity, here, { owners: [member], members: [guest] })
    const foreign = await aTeam(identity, elsewhere)
    const body = {
      organization: here.id,
      users: [member.id, guest.id, elsewhere.admin.id, 'nobody'],
      teams: [team, foreign, 'nothing'],
    }
    const seen = await people.describePeople({ body: { ...body, actor: await actorOf(member) } })
    expect(seen.users.map(({ id }) => id).toSorted()).toEqual([member.id, guest.id].toSorted())
    expect(seen.users[0]).toMatchObject({
      object: 'user',
      displayName: 'Ada',
      email: expect.any(String),
      urls: { location: expect.any(String) },
    })
    expect(seen.teams).toEqual([
      {
        object: 'team',
        id: team,
        title: 'Writers',
        members: 2,
        createdAt: expect.any(String),
        permissions: { view: true, admin: false },
      },
    ])
    const seenBy = async (user: TestUser) =>
      (await people.describePeople({ body: { ...body, actor: await actorOf(user) } })).teams[0]?.permissions
    expect(await seenBy(guest)).toEqual({ view: false, admin: false })
    expect(await seenBy(here.admin)).toEqual({ view: true, admin: true })
  })

  it('is not_found for an actor outside the organization', async () => {
    const here = await anOrganization(identity)
    const elsewhere = await anOrganization(identity)
    const body = { organization: here.id, users: [], teams: [], actor: await actorOf(elsewhere.admin) }
    await expect(people.describePeople({ body })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('accepts at most a thousand ids', async () => {
    const here = await anOrganization(identity)
    const body = {
      organization: here.id,
      teams: [],
      actor: await actorOf(here.admin),
      users: [here.admin.id, ...Array.from({ length: 999 }, (_, at) => `nobody ${at}`)],
    }
    expect((await people.describePeople({ body })).users.map(({ id }) => id)).toEqual([here.admin.id])
    await expect(
      people.describePeople({ body: { ...body, users: [...body.users, 'one more'] } }),
    ).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('listMemberships', () => {
  it('lists members with role and teams, without disabled users', async () => {
    const here = await anOrganization(identity)
    const reader = await aMember(identity, here.id)
    const guest = await aMember(identity, here.id, null)
    const disabled = await aMember(identity, here.id)
    const teams = [
      await aTeam(identity, here, { members: [reader] }),
      await aTeam(identity, here, { members: [reader] }),
    ]
    await query(identity.service.db, 'update members set disabled = true where user_id = $1', [disabled.id])
    const { members } = await people.listMemberships({ body: { organization: here.id } })
    const expected = [
      { user: here.admin.id, role: 'admin', teams: [] },
      { user: reader.id, role: 'read', teams: expect.arrayContaining(teams) },
      { user: guest.id, role: null, teams: [] },
    ]
    expect(members).toHaveLength(expected.length)
    expect(members).toEqual(expect.arrayContaining(expected))
    expect(
      (await people.listMemberships({ body: { organization: here.id, users: [guest.id, disabled.id, 'nobody'] } }))
        .members,
    ).toEqual([{ user: guest.id, role: null, teams: [] }])
    expect((await people.listMemberships({ body: { organization: 'another' } })).members).toEqual([])
  })
})
