import { roles } from '@recto/actor'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, aUser, type TestUser } from '../test/factories.ts'
import { anIdentity, type IdentitySetup } from '../test/identity-setup.ts'

let identity: IdentitySetup
let organization: { id: string; admin: TestUser }
beforeAll(async () => {
  identity = await anIdentity()
  organization = await anOrganization(identity)
})
afterAll(() => identity.stop())

const here = () => ({ organizationId: organization.id })
const at = (user: { id: string }) => ({ organizationId: organization.id, userId: user.id })

describe('members', () => {
  it('are shown with their user, role and counts', async () => {
    const member = await aMember(identity, organization.id, 'review', { displayName: 'Grace' })
    await aTeam(identity, organization, { members: [member] })
    const seen = await (await organization.admin.client()).getMemberInOrganizationById({ params: at(member) })
    expect(seen).toEqual({
      object: 'member',
      id: member.id,
      role: 'review',
      user: {
        object: 'user',
        id: member.id,
        displayName: 'Grace',
        email: member.email,
        urls: { location: `http://recto.test/v1/users/${member.id}` },
      },
      disabled: false,
      joinedAt: expect.any(String),
      sso: false,
      spaces: 0,
      sites: 0,
      teams: 1,
    })
  })

  it('are visible to members, while guests see only themselves', async () => {
    const member = await aMember(identity, organization.id)
    const guest = await aMember(identity, organization.id, null)
    const client = await guest.client()
    expect(await failure(client.listMembersInOrganizationById({ params: here() }))).toBe('forbidden')
    expect(await failure(client.getMemberInOrganizationById({ params: at(member) }))).toBe('not_found')
    expect(await client.getMemberInOrganizationById({ params: at(guest) })).toMatchObject({ id: guest.id, role: null })
    const stranger = await (await aUser(identity)).client()
    expect(await failure(stranger.listMembersInOrganizationById({ params: here() }))).toBe('not_found')
    expect(
      await failure((await member.client()).getMemberInOrganizationById({ params: { ...here(), userId: 'nobody' } })),
    ).toBe('not_found')
  })

  it('get another role from admins only, effective at once', async () => {
    const member = await aMember(identity, organization.id, 'read')
    const admin = await organization.admin.client()
    expect(await admin.updateMemberInOrganizationById({ params: at(member), body: { role: 'create' } })).toMatchObject({
      role: 'create',
    })
    expect(await identity.actorOf(member.token)).toMatchObject({ memberships: [{ role: 'create' }] })
    expect(await admin.updateMemberInOrganizationById({ params: at(member), body: {} })).toMatchObject({
      role: 'create',
    })
    expect(await admin.updateMemberInOrganizationById({ params: at(member), body: { role: null } })).toMatchObject({
      role: null,
    })
    expect(
      await failure(
        (await member.client()).updateMemberInOrganizationById({ params: at(member), body: { role: 'admin' } }),
      ),
    ).toBe('forbidden')
    expect(
      await failure(admin.updateMemberInOrganizationById({ params: at(member), body: { role: 'owner' as 'admin' } })),
    ).toBe('invalid_request')
    expect(
      await failure(
        admin.updateMemberInOrganizationById({ params: { ...here(), userId: 'nobody' }, body: { role: 'admin' } }),
      ),
    ).toBe('not_found')
  })

  it('are removed by admins and by themselves; removing a non-member succeeds without effect', async () => {
    const member = await aMember(identity, organization.id)
    const other = await aMember(identity, organization.id, 'create')
    expect(await failure((await other.client()).removeMemberFromOrganizationById({ params: at(member) }))).toBe(
      'forbidden',
    )
    await (await member.client()).removeMemberFromOrganizationById({ params: at(member) })
    expect(await identity.actorOf(member.token)).toMatchObject({ memberships: [] })
    const admin = await organization.admin.client()
    await admin.removeMemberFromOrganizationById({ params: at(member) })
    await admin.removeMemberFromOrganizationById({ params: at(other) })
    expect(await failure(admin.getMemberInOrganizationById({ params: at(other) }))).toBe('not_found')
  })

  it('leave their teams when they are removed', async () => {
    const member = await aMember(identity, organization.id)
    const teamId = await aTeam(identity, organization, { members: [member, organization.admin] })
    const admin = await organization.admin.client()
    await admin.removeMemberFromOrganizationById({ params: at(member) })
    expect(await admin.getTeamInOrganizationById({ params: { ...here(), teamId } })).toMatchObject({ members: 1 })
  })

  it('can use single sign-on after an admin enables it', async () => {
    const member = await aMember(identity, organization.id)
    const admin = await organization.admin.client()
    expect(await admin.setUserAsSSOMemberForOrganization({ params: at(member) })).toMatchObject({
      id: member.id,
      sso: true,
    })
    expect(await failure(admin.setUserAsSSOMemberForOrganization({ params: { ...here(), userId: 'nobody' } }))).toBe(
      'not_found',
    )
    expect(await failure((await member.client()).setUserAsSSOMemberForOrganization({ params: at(member) }))).toBe(
      'forbidden',
    )
  })

  it('list their teams, filtered by title case-insensitively', async () => {
    const member = await aMember(identity, organization.id)
    await aTeam(identity, organization, { title: 'Tech Writers', members: [member] })
    await aTeam(identity, organization, { title: '100% Support', owners: [member] })
    const client = await member.client()
    const teams = await client.listTeamsForOrganizationMember({ params: at(member) })
    expect(teams).toMatchObject({
      count: 2,
      items: [
        { team: { title: '100% Support', permissions: { view: true, admin: false } }, member: { role: 'owner' } },
        { team: { title: 'Tech Writers', members: 1 }, member: { role: 'member' } },
      ],
    })
    expect(
      await client.listTeamsForOrganizationMember({ params: at(member), query: { title: 'tech w' } }),
    ).toMatchObject({ count: 1 })
    expect(await client.listTeamsForOrganizationMember({ params: at(member), query: { title: '%' } })).toMatchObject({
      count: 1,
    })
    expect(await failure(client.listTeamsForOrganizationMember({ params: { ...here(), userId: 'nobody' } }))).toBe(
      'not_found',
    )
  })

  it('have the time of their last ping or token use as lastSeenAt', async () => {
    const member = await aMember(identity, organization.id)
    const client = await member.client()
    const used = await client.getMemberInOrganizationById({ params: at(member) })
    expect(Date.parse(used.lastSeenAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    await client.updateOrganizationMemberLastSeenAt({ params: here() })
    const pinged = await client.getMemberInOrganizationById({ params: at(member) })
    expect(Date.parse(pinged.lastSeenAt ?? '')).toBeGreaterThan(Date.parse(used.lastSeenAt ?? ''))
  })
})

describe('the last admin', () => {
  it('can be neither demoted nor removed, nor leave', async () => {
    const { id, admin } = await anOrganization(identity)
    const client = await admin.client()
    const params = { organizationId: id, userId: admin.id }
    expect(await failure(client.updateMemberInOrganizationById({ params, body: { role: 'create' } }))).toBe('conflict')
    expect(await failure(client.updateMemberInOrganizationById({ params, body: { role: null } }))).toBe('conflict')
    expect(await failure(client.removeMemberFromOrganizationById({ params }))).toBe('conflict')
    expect(await client.updateMemberInOrganizationById({ params, body: { role: 'admin' } })).toMatchObject({
      role: 'admin',
    })
  })

  it('stays when two admins demote or remove each other at once', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const { id, admin } = await anOrganization(identity)
      const other = await aMember(identity, id, 'admin')
      const one = await admin.client()
      const two = await other.client()
      const demote = one.updateMemberInOrganizationById({
        params: { organizationId: id, userId: other.id },
        body: { role: 'read' },
      })
      const answer =
        turn % 2 === 0
          ? two.updateMemberInOrganizationById({
              params: { organizationId: id, userId: admin.id },
              body: { role: 'read' },
            })
          : two.removeMemberFromOrganizationById({ params: { organizationId: id, userId: admin.id } })
      const [first, second] = await Promise.all([failure(demote), failure(answer)])
      // The second request comes from a user who is no longer an admin.
      expect([first, second].filter(code => code === undefined)).toHaveLength(1)
      const winner = await (first === undefined ? admin : other).client()
      expect(
        await winner.listMembersInOrganizationById({ params: { organizationId: id }, query: { role: 'admin' } }),
      ).toMatchObject({ count: 1 })
    }
  })
})

describe('a list of members', () => {
  let listed: { id: string; admin: TestUser }
  const names = ['Zoë', 'adam', 'Bea_1', 'Beaver']
  beforeAll(async () => {
    listed = await anOrganization(identity)
    for (const [index, displayName] of names.entries())
      await aMember(identity, listed.id, [...roles, null][index] ?? null, {
        displayName,
        email: `${displayName.normalize('NFD').replaceAll(/\W/g, '')}@${listed.id}.test`,
      })
    await aMember(identity, listed.id, null, { displayName: 'Guest' })
  })

  async function namesOf(query: object): Promise<string[]> {
    const { items } = await (
      await listed.admin.client()
    ).listMembersInOrganizationById({ params: { organizationId: listed.id }, query })
    return items.map(({ user }) => user.displayName)
  }

  it('is sorted by the time of joining, newest first or in reverse', async () => {
    expect(await namesOf({})).toEqual(['Guest', ...names.toReversed(), 'Ada'])
    expect(await namesOf({ order: 'asc' })).toEqual(['Ada', ...names, 'Guest'])
  })

  it.each<[object, string[]]>([
    [{ role: 'guest' }, ['Guest']],
    [{ role: 'admin' }, ['Ada']],
    [{ role: 'comment' }, ['adam']],
    [{ search: 'BEA' }, ['Beaver', 'Bea_1']],
    [{ search: 'a_1' }, ['Bea_1']],
    [{ search: 'zoe@' }, ['Zoë']],
    [{ search: 'ZOË' }, ['Zoë']],
    [{ search: 'bea', role: 'read' }, []],
    [{ search: 'nobody' }, []],
  ])('filtered by %j contains %j', async (query, expected) => expect(await namesOf(query)).toEqual(expected))

  it('sorted by lastSeenAt contains active members only', async () => {
    const seen = await namesOf({ sort: 'lastSeenAt' })
    expect(seen).toEqual(['Ada'])
    const member = await aMember(identity, listed.id, 'read', { displayName: 'Active' })
    await member.client()
    expect(await namesOf({ sort: 'lastSeenAt' })).toEqual(['Active', 'Ada'])
    expect(await namesOf({ sort: 'lastSeenAt', order: 'asc' })).toEqual(['Ada', 'Active'])
  })

  it('are sorted by name', async () => {
    const names = await namesOf({ sort: 'name', order: 'asc' })
    expect(names).toEqual((await namesOf({ sort: 'name' })).toReversed())
    expect(names.filter(name => ['Ada', 'Bea_1'].includes(name))).toEqual(['Ada', 'Bea_1'])
  })

  it.each([{}, { order: 'asc' as const }, { sort: 'lastSeenAt' as const }, { sort: 'name' as const }])(
    'in pages by %j contains every member once',
    async query => {
      const client = await listed.admin.client()
      const seen: string[] = []
      let page: string | undefined
      do {
        const list = await client.listMembersInOrganizationById({
          params: { organizationId: listed.id },
          query: { ...query, limit: 2, ...(page && { page }) },
        })
        seen.push(...list.items.map(({ user }) => user.displayName))
        page = list.next?.page
      } while (page)
      expect(seen).toEqual(await namesOf(query))
    },
  )

  it('refuses the cursor of another order, filter or organization, and unknown sort keys', async () => {
    const client = await listed.admin.client()
    const { next } = await client.listMembersInOrganizationById({
      params: { organizationId: listed.id },
      query: { limit: 1 },
    })
    expect(
      await failure(
        client.listMembersInOrganizationById({
          params: { organizationId: listed.id },
          query: { page: next?.page ?? '', order: 'asc' },
        }),
      ),
    ).toBe('invalid_request')
    expect(
      await failure(
        client.listMembersInOrganizationById({
          params: { organizationId: listed.id },
          query: { page: next?.page ?? '', role: 'admin' },
        }),
      ),
    ).toBe('invalid_request')
    const elsewhere = await anOrganization(identity)
    expect(
      await failure(
        (await elsewhere.admin.client()).listMembersInOrganizationById({
          params: { organizationId: elsewhere.id },
          query: { page: next?.page ?? '' },
        }),
      ),
    ).toBe('invalid_request')
    expect(
      await failure(
        client.listMembersInOrganizationById({
          params: { organizationId: listed.id },
          query: { sort: 'email' as 'joinedAt' },
        }),
      ),
    ).toBe('invalid_request')
  })
})
