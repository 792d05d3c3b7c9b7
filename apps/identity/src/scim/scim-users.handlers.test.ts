import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { hashToken } from '@recto/actor'
import { aMember, anOrganization, aUser, joinOrganization } from '../test/factories.ts'
import { gatewayActors } from '../test/gateway-actors.ts'
import { aScimSetup, type ScimSetup } from '../test/scim/endpoint.ts'
import {
  aProvisionedOrganization as provisionedOrganization,
  idsOf,
  sentUser,
  unique,
} from '../test/scim/provisioned-organization.ts'
import * as tokens from '../users/tokens.repository.ts'
import { issueToken } from '../users/tokens.rules.ts'

let setup: ScimSetup
beforeAll(async () => void (setup = await aScimSetup()))
afterAll(() => setup.stop())

const aProvisionedOrganization = () => provisionedOrganization(setup)

/** A token that the single sign-on of an organization issued. */
async function aSignInToken(organization: string, userId: string): Promise<string> {
  const signIn = { organization, provider: null }
  const { row, token } = issueToken(
    { name: 'sign-in', scopes: ['admin'] },
    { userId, issuerScopes: ['admin'], signIn, now: new Date() },
  )
  await tokens.insert(setup.identity.service.db, row)
  return token
}

describe('a user who is created', () => {
  it('is a member of the organization, with the attributes that were sent', async () => {
    const { send, member } = await aProvisionedOrganization()
    const name = unique()
    const more = {
      externalId: '00u1',
      title: 'Guide',
      nickName: 'A',
      'urn:custom:1.0:User': { a: 1 },
      favouriteColour: 'red',
    }
    const sent = sentUser(name, more)
    const { status, headers, body } = await send({ method: 'POST', path: '/Users', body: sent })
    expect([status, body]).toMatchObject([201, { ...sent, schemas: [...sent.schemas, 'urn:custom:1.0:User'] }])
    expect(headers.get('location')).toBe(`http://recto.test/scim/v2/Users/${body.id}`)
    expect(headers.get('etag')).toBe(body.meta.version)
    expect((await send({ path: `/Users/${body.id}` })).body).toEqual(body)
    expect(await member(body.id)).toMatchObject({
      sso: true,
      disabled: false,
      role: 'read',
      user: { displayName: `${name} Smith`, email: `${name}@corp.test` },
    })
  })

  it('has the role that is named, and may be disabled from the start', async () => {
    const { createNamed, member } = await aProvisionedOrganization()
    const id = await createNamed(unique(), { roles: [{ value: 'Edit' }], active: false })
    expect(await member(id)).toMatchObject({ role: 'edit', disabled: true })
    expect(await member(await createNamed(unique(), { roles: ['guest'] }))).toMatchObject({ role: null })
  })

  it('accepts the invite of the organization, whose role the client overrides', async () => {
    const { id: organizationId, admin, createNamed, member } = await aProvisionedOrganization()
    const invited = unique()
    const overridden = unique()
    const emails = [invited, overridden].map(name => `${name}@corp.test`)
    await (
      await admin.client()
    ).inviteUsersToOrganization({ params: { organizationId }, body: { emails, role: 'edit' } })
    expect(await member(await createNamed(invited))).toMatchObject({ role: 'edit', sso: true })
    expect(await member(await createNamed(overridden, { roles: [{ value: 'comment' }] }))).toMatchObject({
      role: 'comment',
    })
    const pending = await (await admin.client()).listPendingInvites({ params: { organizationId } })
    expect(pending.count).toBe(0)
  })

  it.each<[string, object, string]>([
    ['no userName', { userName: undefined }, 'userName'],
    ['no e-mail at all', { userName: 'smith', emails: [] }, 'emails'],
    ['an e-mail that is none', { emails: [{ value: 'smith' }] }, 'emails'],
    ['a role that there is not', { roles: [{ value: 'owner' }] }, 'roles'],
    ['active that is no boolean', { active: 'perhaps' }, 'active'],
    ['a name that is no object', { name: 'Smith' }, 'name'],
    ['attributes that are too deep', { a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } }, 'nested'],
    ['attributes that are too large', { title: 'x'.repeat(40_000) }, 'characters'],
  ])('with %s is refused', async (_case, more, detail) => {
    const { send } = await aProvisionedOrganization()
    const reply = await send({ method: 'POST', path: '/Users', body: sentUser(unique(), more) })
    const error = { status: '400', scimType: 'invalidValue', detail: expect.stringContaining(detail) }
    expect([reply.status, reply.body]).toMatchObject([400, error])
  })

  it('twice at the same time is created once', async () => {
    const { send } = await aProvisionedOrganization()
    const body = sentUser(unique())
    const replies = await Promise.all([1, 2, 3].map(() => send({ method: 'POST', path: '/Users', body })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ status: '409', scimType: 'uniqueness' })
  })

  it('at two organizations at the same time is one account', async () => {
    const organizations = await Promise.all([1, 2].map(aProvisionedOrganization))
    const body = sentUser(unique())
    const [one, other] = await Promise.all(organizations.map(({ create }) => create(body)))
    expect(one).toBe(other)
  })
})

describe('an existing account', () => {
  it('that is a member already is not created again', async () => {
    const { id, send } = await aProvisionedOrganization()
    const ada = await aMember(setup.identity, id)
    const body = sentUser('x', { userName: 'ada', emails: [{ value: ada.email.toUpperCase() }] })
    const reply = await send({ method: 'POST', path: '/Users', body })
    expect([reply.status, reply.body]).toMatchObject([409, { scimType: 'uniqueness' }])
    const filter = encodeURIComponent(`userName eq "${ada.email}"`)
    expect(idsOf(await send({ path: `/Users?filter=${filter}` }))).toEqual([ada.id])
  })

  it('that belongs elsewhere becomes a member, and stays as it is', async () => {
    const { create, member, send } = await aProvisionedOrganization()
    const elsewhere = await anOrganization(setup.identity)
    const ada = await aMember(setup.identity, elsewhere.id, 'read', { displayName: 'Ada Lovelace' })
    const sent = sentUser('x', {
      userName: 'ada',
      displayName: 'Somebody else',
      emails: [{ value: ada.email, primary: true }],
    })
    const id = await create(sent)
    expect(id).toBe(ada.id)
    expect(await member(id)).toMatchObject({ sso: false, user: { displayName: 'Ada Lovelace', email: ada.email } })
    const moved = { ...sent, displayName: 'Third', emails: [{ value: `${unique()}@corp.test`, primary: true }] }
    const replaced = await send({ method: 'PUT', path: `/Users/${id}`, body: moved })
    expect([replaced.status, replaced.body]).toMatchObject([200, { displayName: 'Third', emails: moved.emails }])
    expect(await member(id)).toMatchObject({ user: { displayName: 'Ada Lovelace', email: ada.email } })
    expect((await send({ method: 'DELETE', path: `/Users/${id}` })).status).toBe(204)
    expect((await (await ada.client()).listOrganizationsForAuthenticatedUser({})).items.map(({ id }) => id)).toEqual([
      elsewhere.id,
    ])
  })

  it('that only another organization asserted may sign in here, and its tokens of there do not count here', async () => {
    const first = await aProvisionedOrganization()
    const second = await aProvisionedOrganization()
    const body = sentUser(unique(), { displayName: 'First' })
    const id = await first.create(body)
    const foreign = await aSignInToken(first.id, id)
    expect(await second.create({ ...body, displayName: 'Second' })).toBe(id)
    expect(await second.member(id)).toMatchObject({ sso: true, user: { displayName: 'First' } })
    expect((await setup.identity.actorOf(foreign))?.memberships.map(({ organization }) => organization)).toEqual([
      first.id,
    ])
  })

  it('of this organization alone gets the name and the e-mail that the client sends', async () => {
    const { createNamed, member, patch } = await aProvisionedOrganization()
    const id = await createNamed(unique())
    const email = `${unique()}@corp.test`
    const reply = await patch(
      id,
      { op: 'replace', path: 'displayName', value: 'New Name' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: email.toUpperCase() },
    )
    expect(reply.body).toMatchObject({ displayName: 'New Name', emails: [{ value: email.toUpperCase() }] })
    expect(await member(id)).toMatchObject({ user: { displayName: 'New Name', email } })
  })

  it('does not get the e-mail of another account', async () => {
    const { createNamed, patch, member } = await aProvisionedOrganization()
    const name = unique()
    const id = await createNamed(name)
    const other = await aUser(setup.identity)
    const reply = await patch(id, { op: 'replace', path: 'emails', value: [{ value: other.email }] })
    expect([reply.status, reply.body]).toMatchObject([409, { scimType: 'uniqueness' }])
    expect(await member(id)).toMatchObject({ user: { email: `${name}@corp.test` } })
  })
})

describe('a user who is not active', () => {
  it('has no token any more that is valid in the organization, through the cache of a gateway', async () => {
    const { id: organization, createNamed, patch } = await aProvisionedOrganization()
    const id = await createNamed(unique())
    const elsewhere = await anOrganization(setup.identity)
    await joinOrganization(setup.identity, { organization: elsewhere.id, userId: id, role: 'read' })
    const signIn = await aSignInToken(organization, id)
    const { row, token: own } = issueToken(
      { name: 'own', scopes: ['read'] },
      { userId: id, issuerScopes: ['admin'], now: new Date() },
    )
    await tokens.insert(setup.identity.service.db, row)
    const actors = await gatewayActors(setup.identity)
    const organizationsOf = async (token: string) =>
      (await actors.find(token)).actor.memberships.map(membership => membership.organization)
    expect((await organizationsOf(own)).sort()).toEqual([organization, elsewhere.id].sort())
    expect(await organizationsOf(signIn)).toEqual([organization])
    expect((await patch(id, { op: 'replace', path: 'active', value: false })).body).toMatchObject({ active: false })
    expect(await organizationsOf(own)).toEqual([elsewhere.id])
    await expect(actors.find(signIn)).rejects.toMatchObject({ code: 'unauthenticated' })
    await patch(id, { op: 'replace', path: 'active', value: true })
    expect((await organizationsOf(own)).sort()).toEqual([organization, elsewhere.id].sort())
    expect(await setup.identity.actorOf(signIn)).toBeNull()
    expect(hashToken(signIn)).toHaveLength(64)
  })

  it('stays in the list, and is created no second time', async () => {
    const { createNamed, send, patch } = await aProvisionedOrganization()
    const name = unique()
    const id = await createNamed(name)
    await patch(id, { op: 'replace', value: { active: 'False' } })
    expect(idsOf(await send({ path: '/Users?filter=active%20eq%20false' }))).toEqual([id])
    expect((await send({ method: 'POST', path: '/Users', body: sentUser(name) })).status).toBe(409)
  })
})

describe('the last admin', () => {
  it.each([
    [
      'disabled',
      (id: string) => ({
        method: 'PATCH',
        path: `/Users/${id}`,
        body: { Operations: [{ op: 'replace', value: { active: false } }] },
      }),
    ],
    [
      'demoted',
      (id: string) => ({
        method: 'PATCH',
        path: `/Users/${id}`,
        body: { Operations: [{ op: 'replace', path: 'roles', value: [{ value: 'read' }] }] },
      }),
    ],
    ['removed', (id: string) => ({ method: 'DELETE', path: `/Users/${id}` })],
  ])('cannot be %s', async (_case, request) => {
    const { send, admin, member } = await aProvisionedOrganization()
    const reply = await send(request(admin.id))
    expect([reply.status, reply.body]).toMatchObject([409, { status: '409' }])
    expect(await member(admin.id)).toMatchObject({ role: 'admin', disabled: false })
  })

  it('is not one who is disabled: such an admin can be removed', async () => {
    const { send, createNamed, patch } = await aProvisionedOrganization()
    const id = await createNamed(unique(), { roles: [{ value: 'admin' }] })
    expect((await patch(id, { op: 'replace', value: { active: false } })).status).toBe(200)
    expect((await send({ method: 'DELETE', path: `/Users/${id}` })).status).toBe(204)
  })
})
