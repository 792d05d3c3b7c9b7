import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aContentResponder, type ContentResponder } from '../test/content-responder.ts'
import { aMember, anOrganization, aUser, type TestUser } from '../test/factories.ts'
import { anIdentity, type IdentityClient, type IdentitySetup } from '../test/identity-setup.ts'

let identity: IdentitySetup
let content: ContentResponder
let organization: { id: string; admin: TestUser }
let admin: IdentityClient
beforeAll(async () => {
  identity = await anIdentity()
  content = await aContentResponder(identity)
})
beforeEach(async () => {
  organization = await anOrganization(identity)
  admin = await organization.admin.client()
})
afterAll(async () => {
  await content.stop()
  await identity.stop()
})

type Body = Parameters<IdentityClient['createOrganizationInvite']>[0]['body']
const here = () => ({ organizationId: organization.id })
const at = (id: string) => ({ ...here(), inviteId: id })
const create = (body: Body, as = admin) => as.createOrganizationInvite({ params: here(), body })
const listed = async () => (await admin.listOrganizationInviteLinks({ params: here() })).items.map(({ id }) => id)

describe('a link invite', () => {
  it('to the organization has a role', async () => {
    const made = await create({ role: 'edit' })
    const location = `http://recto.test/v1/orgs/${organization.id}/link-invites/${made.id}`
    expect(made).toEqual({
      object: 'invite',
      id: expect.any(String),
      role: 'edit',
      redundant: true,
      urls: { location },
    })
    expect(await admin.getOrganizationInviteLink({ params: at(made.id) })).toEqual(made)
    expect(await create({ role: null })).toMatchObject({ role: null })
  })

  it('to a space has a level and shows the space', async () => {
    const space = content.aSpace(organization.id)
    const made = await create({ level: 'comment', space })
    const location = `http://recto.test/v1/orgs/${organization.id}/link-invites/${made.id}`
    expect(made).toEqual({
      object: 'invite',
      id: expect.any(String),
      level: 'comment',
      redundant: true,
      space: expect.objectContaining({ object: 'space', id: space }),
      urls: { location },
    })
    expect(await admin.getOrganizationInviteLink({ params: at(made.id) })).toMatchObject({
      id: made.id,
      level: 'comment',
      space: { id: space },
    })
    expect(await create({ level: null, space })).toMatchObject({ level: null })
  })

  it.each(['of another organization', 'of nothing'])('to a space %s is refused', async which => {
    const space = which === 'of nothing' ? createId() : content.aSpace((await anOrganization(identity)).id)
    await expect(create({ level: 'read', space })).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no such space',
    })
  })

  it('to a collection requires one of the organization, and adds guests', async () => {
    await expect(create({ level: 'read', collection: createId() })).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no such collection',
    })
    const collection = content.aSpace(organization.id)
    const made = await create({ level: 'edit', collection })
    expect(made).toMatchObject({
      object: 'invite',
      level: 'edit',
      collection: { object: 'collection', id: collection },
    })
    expect(await admin.getOrganizationInviteLink({ params: at(made.id) })).toEqual(made)
    const guest = await aUser(identity)
    await (await guest.client()).joinOrganizationWithInvite({ params: at(made.id) })
    expect(content.grantedRole(collection, guest.id)).toBe('edit')
    expect(await identity.actorOf(guest.token)).toMatchObject({
      memberships: [{ organization: organization.id, role: null }],
    })
  })

  it.each([
    { role: 'read', space: 'some' },
    { role: 'read', collection: 'some' },
    { level: 'read', space: 'some', collection: 'some' },
    { role: 'read', level: 'read', space: 'some' },
  ])('is not created from %j, which combines several kinds', async body => {
    await expect(create(body as never)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('to a deleted space can be neither read nor changed, but deleted', async () => {
    const space = content.aSpace(organization.id)
    const { id } = await create({ level: 'read', space })
    content.remove(space)
    expect(await failure(admin.getOrganizationInviteLink({ params: at(id) }))).toBe('not_found')
    expect(await failure(admin.updateOrganizationInviteById({ params: at(id), body: { level: 'edit' } }))).toBe(
      'not_found',
    )
    expect(await failure(admin.deleteOrganizationInviteById({ params: at(id) }))).toBeUndefined()
  })

  it('is deleted idempotently', async () => {
    const { id } = await create({ role: 'read' })
    for (let times = 0; times < 2; times += 1)
      expect(await admin.deleteOrganizationInviteById({ params: at(id) })).toBeUndefined()
    await expect(admin.getOrganizationInviteLink({ params: at(id) })).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no such invite',
    })
    expect(await failure(admin.updateOrganizationInviteById({ params: at(id), body: { role: 'edit' } }))).toBe(
      'not_found',
    )
  })

  it.each<[unknown]>([
    [{}],
    [{ role: 'owner' }],
    [{ level: 'read' }],
    [{ space: 'any' }],
    [{ level: 'read', space: 'a\0b' }],
  ])('is not created from %j', async body => {
    await expect(create(body as Body)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: expect.stringContaining('body') }],
    })
    expect(await listed()).toEqual([])
  })
})

describe('changing a link invite', () => {
  it('changes the role or level', async () => {
    const one = await create({ role: 'edit' })
    const two = await create({ level: 'edit', space: content.aSpace(organization.id) })
    expect(await admin.updateOrganizationInviteById({ params: at(one.id), body: { role: null } })).toEqual({
      ...one,
      role: null,
    })
    expect(await admin.updateOrganizationInviteById({ params: at(two.id), body: { level: 'admin' } })).toMatchObject({
      ...two,
      level: 'admin',
      space: { id: expect.any(String) },
    })
    expect(await admin.getOrganizationInviteLink({ params: at(one.id) })).toMatchObject({ role: null })
    expect(await admin.getOrganizationInviteLink({ params: at(two.id) })).toMatchObject({ level: 'admin' })
  })

  it('refuses the fields of the other kind, and changes nothing', async () => {
    const one = await create({ role: 'edit' })
    const two = await create({ level: 'edit', space: content.aSpace(organization.id) })
    const wrong = (id: string, body: { role: 'read' } | { level: 'read' }) =>
      admin.updateOrganizationInviteById({ params: at(id), body })
    await expect(wrong(one.id, { level: 'read' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.level' }],
    })
    await expect(wrong(two.id, { role: 'read' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.role' }],
    })
    expect(await admin.getOrganizationInviteLink({ params: at(one.id) })).toEqual(one)
    expect(await admin.getOrganizationInviteLink({ params: at(two.id) })).toMatchObject({ level: 'edit' })
  })
})

describe('link invites', () => {
  it('to the organization are listed in pages, newest first; those to spaces are not', async () => {
    const ids = [
      (await create({ role: 'read' })).id,
      (await create({ role: 'edit' })).id,
      (await create({ role: null })).id,
    ]
    await create({ level: 'read', space: content.aSpace(organization.id) })
    const first = await admin.listOrganizationInviteLinks({ params: here(), query: { limit: 2 } })
    const second = await admin.listOrganizationInviteLinks({
      params: here(),
      query: { limit: 2, page: first.next?.page },
    })
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.toReversed())
    expect([first.count, second.next]).toEqual([3, undefined])
  })

  it('are allowed for admins, forbidden for other members and not_found for outsiders', async () => {
    const { id } = await create({ role: 'read' })
    const calls = (client: IdentityClient) => [
      client.createOrganizationInvite({ params: here(), body: { role: null } }),
      client.listOrganizationInviteLinks({ params: here() }),
      client.getOrganizationInviteLink({ params: at(id) }),
      client.updateOrganizationInviteById({ params: at(id), body: { role: null } }),
      client.deleteOrganizationInviteById({ params: at(id) }),
    ]
    const refused = async (user: TestUser) => new Set(await Promise.all(calls(await user.client()).map(failure)))
    expect(await refused(await aMember(identity, organization.id, 'create'))).toEqual(new Set(['forbidden']))
    expect(await refused(await aUser(identity))).toEqual(new Set(['not_found']))
    expect(await listed()).toEqual([id])
  })

  it('of another organization are not found', async () => {
    const { id } = await create({ role: 'read' })
    const elsewhere = await anOrganization(identity)
    const client = await elsewhere.admin.client()
    const params = { organizationId: elsewhere.id, inviteId: id }
    expect(await failure(client.getOrganizationInviteLink({ params }))).toBe('not_found')
    expect(await failure(client.updateOrganizationInviteById({ params, body: { role: 'admin' } }))).toBe('not_found')
    await client.deleteOrganizationInviteById({ params })
    expect(await listed()).toEqual([id])
  })

  it('cannot be created while disabled in the organization, but can be read, changed and deleted', async () => {
    const { id } = await create({ role: 'read' })
    await admin.updateOrganizationById({ params: here(), body: { inviteLinks: false } })
    for (const body of [{ role: 'read' as const }, { level: null, space: content.aSpace(organization.id) }]) {
      await expect(create(body)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('inviteLinks'),
      })
    }
    expect(await listed()).toEqual([id])
    expect(await admin.updateOrganizationInviteById({ params: at(id), body: { role: 'edit' } })).toMatchObject({
      role: 'edit',
    })
    expect(await admin.getOrganizationInviteLink({ params: at(id) })).toMatchObject({ role: 'edit' })
    await admin.deleteOrganizationInviteById({ params: at(id) })
    expect(await listed()).toEqual([])
  })
})
