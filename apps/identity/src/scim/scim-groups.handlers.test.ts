import { query } from '@recto/database'
import { createId } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, aUser, type TestUser } from '../test/factories.ts'
import { aScimSetup, type ScimSetup, type SendScim } from '../test/scim/endpoint.ts'
import { aScimToken } from '../test/scim/provisioned-organization.ts'

let setup: ScimSetup
beforeAll(async () => void (setup = await aScimSetup()))
afterAll(() => setup.stop())

async function aProvisionedOrganization() {
  const organization = await anOrganization(setup.identity)
  return { ...organization, send: setup.as(await aScimToken(organization)) }
}

const createGroup = async (send: SendScim, displayName: string, members: TestUser[] = [], more: object = {}) => {
  const body = { displayName, members: members.map(({ id }) => ({ value: id })), ...more }
  const reply = await send({ method: 'POST', path: '/Groups', body })
  expect([reply.status, reply.body]).toMatchObject([201, { id: expect.any(String) }])
  return reply.body.id as string
}
const patch = (send: SendScim, id: string, ...Operations: object[]) =>
  send({ method: 'PATCH', path: `/Groups/${id}`, body: { Operations } })
const membersOf = async (send: SendScim, id: string) =>
  ((await send({ path: `/Groups/${id}` })).body.members as { value: string }[]).map(({ value }) => value)

describe('a group', () => {
  it('is a team of the organization, with its members', async () => {
    const { id: organizationId, admin, send } = await aProvisionedOrganization()
    const ada = await aMember(setup.identity, organizationId)
    const body = {
      schemas: [],
      displayName: 'Writers',
      externalId: 'g1',
      note: { a: 1 },
      members: [{ value: ada.id, display: 'x' }],
    }
    const { status, headers, body: created } = await send({ method: 'POST', path: '/Groups', body })
    expect([status, created]).toMatchObject([201, { displayName: 'Writers', externalId: 'g1', note: { a: 1 } }])
    expect(created.members).toEqual([
      { value: ada.id, display: 'Ada', type: 'User', $ref: `http://recto.test/scim/v2/Users/${ada.id}` },
    ])
    expect(headers.get('location')).toBe(`http://recto.test/scim/v2/Groups/${created.id}`)
    expect(headers.get('etag')).toBe(created.meta.version)
    const team = await (
      await admin.client()
    ).getTeamInOrganizationById({ params: { organizationId, teamId: created.id } })
    expect(team).toMatchObject({ title: 'Writers', members: 1 })
  })

  it('that was made as a team is one, too, and its owners stay owners', async () => {
    const organization = await aProvisionedOrganization()
    const { send, id: organizationId } = organization
    const owner = await aMember(setup.identity, organizationId)
    const other = await aMember(setup.identity, organizationId)
    const team = await aTeam(setup.identity, organization, { title: 'Made here', owners: [owner] })
    expect((await send({ path: '/Groups' })).body.Resources).toMatchObject([{ id: team, displayName: 'Made here' }])
    const members = [owner, other].map(({ id }) => ({ value: id }))
    const reply = await send({ method: 'PUT', path: `/Groups/${team}`, body: { displayName: 'Made here', members } })
    expect(reply.status).toBe(200)
    const client = await organization.admin.client()
    const { items } = await client.listTeamMembersInOrganizationById({ params: { organizationId, teamId: team } })
    const roles = Object.fromEntries(items.map(({ organization: { id }, team: { role } }) => [id, role]))
    expect(roles).toEqual({ [owner.id]: 'owner', [other.id]: 'member' })
  })

  it('by PUT without members keeps them, and with an empty list has none', async () => {
    const { send, id } = await aProvisionedOrganization()
    const ada = await aMember(setup.identity, id)
    const group = await createGroup(send, 'Writers', [ada])
    const put = (body: object) =>
      send({ method: 'PUT', path: `/Groups/${group}`, body: { displayName: 'Authors', ...body } })
    expect((await put({})).body).toMatchObject({ displayName: 'Authors', members: [{ value: ada.id }] })
    expect((await put({ members: [] })).body.members).toEqual([])
  })

  it('keeps service accounts of its team, which it does not show', async () => {
    const organization = await aProvisionedOrganization()
    const { send, id: organizationId } = organization
    const client = await organization.admin.client()
    const account = await client.createServiceAccount({ params: { organizationId }, body: { name: 'Search' } })
    const team = await aTeam(setup.identity, organization, { title: 'Made here' })
    await client.addMemberToOrganizationTeamById({
      params: { organizationId, teamId: team, userId: account.id },
      body: {},
    })
    expect(await membersOf(send, team)).toEqual([])
    await send({ method: 'PUT', path: `/Groups/${team}`, body: { displayName: 'Made here', members: [] } })
    expect(await client.getTeamInOrganizationById({ params: { organizationId, teamId: team } })).toMatchObject({
      members: 1,
    })
  })

  it('has a name of its own in the organization, whatever others have', async () => {
    const { send } = await aProvisionedOrganization()
    const other = await aProvisionedOrganization()
    const group = await createGroup(send, 'Writers')
    await createGroup(other.send, 'Writers')
    const refused = { status: 409, body: { scimType: 'uniqueness', status: '409' } }
    expect(await send({ method: 'POST', path: '/Groups', body: { displayName: 'WRITERS' } })).toMatchObject(refused)
    const second = await createGroup(send, 'Readers')
    expect(await patch(send, second, { op: 'replace', path: 'displayName', value: 'Writers' })).toMatchObject(refused)
    expect((await patch(send, group, { op: 'replace', path: 'displayName', value: 'Writers' })).status).toBe(204)
    const replies = await Promise.all(
      [1, 2].map(() => send({ method: 'POST', path: '/Groups', body: { displayName: 'Both' } })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it.each<[string, object, string]>([
    ['no name', { displayName: ' ' }, 'displayName'],
    ['a long name', { displayName: 'x'.repeat(65) }, 'displayName'],
    ['a name that is no text', { displayName: 7 }, 'displayName'],
    ['an unknown member', { displayName: 'a', members: [{ value: 'nobody' }] }, 'members'],
    ['a member without id', { displayName: 'a', members: [{}] }, 'members'],
    ['a group as a member', { displayName: 'a', members: [{ value: 'x', type: 'Group' }] }, 'members'],
    [
      'too many members',
      { displayName: 'a', members: Array.from({ length: 10_001 }, (_, at) => ({ value: `${at}` })) },
      'members',
    ],
  ])('with %s is refused', async (_case, body, detail) => {
    const { send } = await aProvisionedOrganization()
    const reply = await send({ method: 'POST', path: '/Groups', body })
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { scimType: 'invalidValue', detail: expect.stringContaining(detail) },
    ])
    expect((await send({ path: '/Groups' })).body.totalResults).toBe(0)
  })

  it('has no members of other organizations, and is none of theirs', async () => {
    const own = await aProvisionedOrganization()
    const other = await aProvisionedOrganization()
    const stranger = await aUser(setup.identity)
    const group = await createGroup(own.send, 'Writers')
    for (const id of [stranger.id, other.admin.id])
      expect(await patch(own.send, group, { op: 'add', path: 'members', value: [{ value: id }] })).toMatchObject({
        status: 400,
      })
    const requests = [
      {},
      { method: 'DELETE' },
      { method: 'PUT', body: { displayName: 'Mine' } },
      { method: 'PATCH', body: { Operations: [{ op: 'replace', path: 'displayName', value: 'Mine' }] } },
    ]
    for (const request of requests)
      expect(await other.send({ path: `/Groups/${group}`, ...request })).toMatchObject({ status: 404 })
    const filter = encodeURIComponent(
      `id eq "${group}" or displayName eq "Writers" or members.value eq "${own.admin.id}"`,
    )
    expect((await other.send({ path: `/Groups?filter=${filter}` })).body.totalResults).toBe(0)
    expect((await own.send({ path: `/Groups/${group}` })).body.displayName).toBe('Writers')
  })

  it('changes by operations in their order', async () => {
    const { send, id } = await aProvisionedOrganization()
    const [ada, bob, cleo] = await Promise.all([1, 2, 3].map(() => aMember(setup.identity, id)))
    const a = ada?.id ?? ''
    const b = bob?.id ?? ''
    const c = cleo?.id ?? ''
    const group = await createGroup(send, 'Writers')
    const after = async (...operations: object[]) => {
      expect((await patch(send, group, ...operations)).status).toBe(204)
      return (await membersOf(send, group)).sort()
    }
    const add = (...ids: string[]) => ({ op: 'Add', path: 'members', value: ids.map(value => ({ value })) })
    expect(await after(add(a, b), { op: 'remove', path: `members[value eq "${a}"]` })).toEqual([b])
    expect(await after({ op: 'remove', path: `members[value eq "${a}"]` }, add(a))).toEqual([a, b].sort())
    expect(await after({ op: 'replace', path: 'members', value: [{ value: c }] }, add(a))).toEqual([a, c].sort())
    expect(await after(add(b), { op: 'replace', path: 'members', value: [{ value: c }] })).toEqual([c])
    expect(await after({ op: 'replace', value: { members: [{ value: a }], displayName: 'Authors' } })).toEqual([a])
    expect(await after({ op: 'add', value: { Members: { value: b } } })).toEqual([a, b].sort())
    expect(await after({ op: 'remove', path: `members[value eq "${a}" or value eq "${b}"]` })).toEqual([])
    expect(await after(add(a, b), { op: 'remove', path: 'members' }, add(c))).toEqual([c])
    expect(await after({ op: 'remove', path: 'members', value: [{ value: c }] })).toEqual([])
  })

  it('answers a PATCH with the attributes that were asked for', async () => {
    const { send } = await aProvisionedOrganization()
    const group = await createGroup(send, 'Writers')
    const body = { Operations: [{ op: 'replace', path: 'displayName', value: 'Authors' }] }
    const reply = await send({ method: 'PATCH', path: `/Groups/${group}?attributes=displayName`, body })
    expect([reply.status, reply.body]).toEqual([200, { schemas: expect.any(Array), id: group, displayName: 'Authors' }])
  })

  it('has a version that its members change', async () => {
    const { send, id } = await aProvisionedOrganization()
    const ada = await aMember(setup.identity, id)
    const group = await createGroup(send, 'Writers')
    const path = `/Groups/${group}`
    const tag = (await send({ path: `${path}?excludedAttributes=members` })).headers.get('etag') ?? ''
    expect((await send({ path })).headers.get('etag')).toBe(tag)
    const changed = await patch(send, group, { op: 'add', path: 'members', value: [{ value: ada.id }] })
    expect(changed.headers.get('etag')).not.toBe(tag)
    const refused = { status: 412, body: { status: '412' } }
    expect(await send({ method: 'DELETE', path, headers: { 'if-match': tag } })).toMatchObject(refused)
    expect(await send({ method: 'PUT', path, headers: { 'if-match': tag }, body: { displayName: 'x' } })).toMatchObject(
      refused,
    )
    const deleted = await send({ method: 'DELETE', path, headers: { 'if-match': changed.headers.get('etag') ?? '' } })
    expect(deleted.status).toBe(204)
  })

  it('of 10,000 members is written, changed and read', async () => {
    const { send, id } = await aProvisionedOrganization()
    const ids = await manyMembers(id, 10_000)
    const group = await createGroup(send, 'Everybody', [], { members: ids.map(value => ({ value })) })
    expect((await membersOf(send, group)).length).toBe(10_000)
    expect((await patch(send, group, { op: 'remove', path: `members[value eq "${ids[0]}"]` })).status).toBe(204)
    const list = await send({ path: '/Groups?excludedAttributes=members' })
    expect(list.body.Resources[0]).not.toHaveProperty('members')
    expect((await send({ path: '/Groups' })).body.Resources[0].members.length).toBe(9_999)
  })
})

/** Makes members without going through the API. */
async function manyMembers(organization: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, createId)
  const { db } = setup.identity.service
  await query(
    db,
    `insert into users (id, email, display_name, platform_admin, created_at)
     select id, id || '@many.test', 'Many', false, now() from unnest($1::text[]) id`,
    [ids],
  )
  await query(
    db,
    `insert into members (organization_id, user_id, role, disabled, joined_at, sso)
     select $1, id, 'read', false, now(), true from unnest($2::text[]) id`,
    [organization, ids],
  )
  return ids
}
