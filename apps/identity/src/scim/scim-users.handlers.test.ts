import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createId } from '@recto/operation'
import { hashToken } from '@recto/actor'
import { aMember, anOrganization, aUser, joinOrganization, type TestUser } from '../test/factories.ts'
import { gatewayActors } from '../test/gateway-actors.ts'
import { anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { aScimEndpoint, type SendScim } from '../test/scim-endpoint.ts'
import * as tokens from '../users/tokens.repository.ts'
import { issueToken } from '../users/tokens.rules.ts'

let identity: IdentitySetup
let endpoint: Awaited<ReturnType<typeof aScimEndpoint>>
beforeAll(async () => {
  identity = await anIdentity()
  endpoint = await aScimEndpoint(identity)
})
afterAll(async () => {
  await endpoint.stop()
  await identity.stop()
})

const sentUser = (name: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${name}@corp.test`,
  name: { givenName: name, familyName: 'Smith' },
  emails: [{ value: `${name}@corp.test`, type: 'work', primary: true }],
  active: true,
  ...more,
})

/** An organization with a client that provisions it. */
async function aProvisionedOrganization() {
  const organization = await anOrganization(identity)
  const send = endpoint.as(organization.admin.token)
  const admin = await organization.admin.client()
  const create = async (body: object): Promise<string> => {
    const reply = await send({ method: 'POST', path: '/Users', body })
    expect([reply.status, reply.body]).toMatchObject([201, { id: expect.any(String) }])
    return reply.body.id
  }
  return {
    ...organization,
    send,
    create,
    createNamed: (name: string, more: object = {}) => create(sentUser(name, more)),
    patch: (id: string, ...Operations: object[]) =>
      send({ method: 'PATCH', path: `/Users/${id}`, body: { schemas: [], Operations } }),
    member: (userId: string) =>
      admin.getMemberInOrganizationById({ params: { organizationId: organization.id, userId } }),
  }
}

/** A token that the single sign-on of an organization issued. */
async function aSignInToken(organization: string, userId: string): Promise<string> {
  const signIn = { organization, provider: null }
  const { row, token } = issueToken(
    { name: 'sign-in', scopes: ['admin'] },
    { userId, issuerScopes: ['admin'], signIn, now: new Date() },
  )
  await tokens.insert(identity.service.db, row)
  return token
}

const idsOf = (reply: { body: { Resources: { id: string }[] } }) => reply.body.Resources.map(({ id }) => id)
const unique = () => createId().toLowerCase()

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
    const [invited, overridden] = [unique(), unique()]
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
    const ada = await aMember(identity, id)
    const body = sentUser('x', { userName: 'ada', emails: [{ value: ada.email.toUpperCase() }] })
    const reply = await send({ method: 'POST', path: '/Users', body })
    expect([reply.status, reply.body]).toMatchObject([409, { scimType: 'uniqueness' }])
    const filter = encodeURIComponent(`userName eq "${ada.email}"`)
    expect(idsOf(await send({ path: `/Users?filter=${filter}` }))).toEqual([ada.id])
  })

  it('that belongs elsewhere becomes a member, and stays as it is', async () => {
    const { create, member, send } = await aProvisionedOrganization()
    const elsewhere = await anOrganization(identity)
    const ada = await aMember(identity, elsewhere.id, 'read', { displayName: 'Ada Lovelace' })
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
    const [first, second] = [await aProvisionedOrganization(), await aProvisionedOrganization()]
    const body = sentUser(unique(), { displayName: 'First' })
    const id = await first.create(body)
    const foreign = await aSignInToken(first.id, id)
    expect(await second.create({ ...body, displayName: 'Second' })).toBe(id)
    expect(await second.member(id)).toMatchObject({ sso: true, user: { displayName: 'First' } })
    expect((await identity.actorOf(foreign))?.memberships.map(({ organization }) => organization)).toEqual([first.id])
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
    const other = await aUser(identity)
    const reply = await patch(id, { op: 'replace', path: 'emails', value: [{ value: other.email }] })
    expect([reply.status, reply.body]).toMatchObject([409, { scimType: 'uniqueness' }])
    expect(await member(id)).toMatchObject({ user: { email: `${name}@corp.test` } })
  })
})

describe('a user who is not active', () => {
  it('has no token any more that is valid in the organization, through the cache of a gateway', async () => {
    const { id: organization, createNamed, patch } = await aProvisionedOrganization()
    const id = await createNamed(unique())
    const elsewhere = await anOrganization(identity)
    await joinOrganization(identity, { organization: elsewhere.id, userId: id, role: 'read' })
    const signIn = await aSignInToken(organization, id)
    const { row, token: own } = issueToken(
      { name: 'own', scopes: ['read'] },
      { userId: id, issuerScopes: ['admin'], now: new Date() },
    )
    await tokens.insert(identity.service.db, row)
    const actors = await gatewayActors(identity)
    const organizationsOf = async (token: string) =>
      (await actors.find(token)).actor.memberships.map(membership => membership.organization)
    expect((await organizationsOf(own)).sort()).toEqual([organization, elsewhere.id].sort())
    expect(await organizationsOf(signIn)).toEqual([organization])
    expect((await patch(id, { op: 'replace', path: 'active', value: false })).body).toMatchObject({ active: false })
    expect(await organizationsOf(own)).toEqual([elsewhere.id])
    await expect(actors.find(signIn)).rejects.toMatchObject({ code: 'unauthenticated' })
    await patch(id, { op: 'replace', path: 'active', value: true })
    expect((await organizationsOf(own)).sort()).toEqual([organization, elsewhere.id].sort())
    expect(await identity.actorOf(signIn)).toBeNull()
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

describe('a list of users', () => {
  let send: SendScim
  const ids: Record<string, string> = {}
  let admin: TestUser
  beforeAll(async () => {
    const organization = await aProvisionedOrganization()
    ;({ send, admin } = organization)
    const { createNamed } = organization
    ids['admin'] = admin.id
    ids['Ann'] = await createNamed('list-ann', { externalId: 'X1', displayName: 'Ann 100%', userName: 'Ann' })
    ids['bob'] = await createNamed('list-bob', {
      displayName: 'bob_b',
      userName: 'bob',
      emails: [
        { value: 'list-bob@corp.test', type: 'work', primary: true },
        { value: 'bob@home.test', type: 'home' },
      ],
    })
    ids['cleo'] = await createNamed('list-cleo', { externalId: 'x1', userName: 'cleo', active: false })
    // Another organization has the same names.
    const other = await aProvisionedOrganization()
    for (const name of ['ann', 'bob']) await other.createNamed(`other-${name}`, { externalId: 'X1', userName: name })
  })
  const find = (filter: string, more = '') => send({ path: `/Users?filter=${encodeURIComponent(filter)}${more}` })
  const nameOf = (id: string) => Object.entries(ids).find(([, one]) => one === id)?.[0] ?? id

  it.each([
    ['userName eq "ann"', ['Ann']],
    ['USERNAME Eq "ANN"', ['Ann']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "bob"', ['bob']],
    ['userName ne "ann"', ['admin', 'bob', 'cleo']],
    ['not (userName eq "ann")', ['admin', 'bob', 'cleo']],
    ['userName sw "b"', ['bob']],
    ['userName ew "EO"', ['cleo']],
    ['userName co "o"', ['admin', 'bob', 'cleo']],
    ['userName gt "bob" and userName lt "d"', ['cleo']],
    ['userName pr', ['admin', 'Ann', 'bob', 'cleo']],
    ['externalId eq "X1"', ['Ann']],
    ['externalId pr', ['Ann', 'cleo']],
    ['externalId eq null', ['admin', 'bob']],
    ['not (externalId eq "X1")', ['admin', 'bob', 'cleo']],
    ['displayName co "100%"', ['Ann']],
    ['displayName eq "bobxb"', []],
    ['active eq true', ['admin', 'Ann', 'bob']],
    ['active eq "False"', ['cleo']],
    ['emails.value eq "BOB@home.test"', ['bob']],
    ['emails eq "bob@home.test"', ['bob']],
    ['emails.value co "corp.test"', ['Ann', 'bob', 'cleo']],
    ['emails[type eq "home" and value co "bob"]', ['bob']],
    ['emails[type eq "home" and value co "corp"]', []],
    ['emails[primary eq true and type eq "work"] and active eq true', ['admin', 'Ann', 'bob']],
    ['(userName eq "ann" or userName eq "cleo") and active eq true', ['Ann']],
    ['userName eq "ann" or userName eq "cleo" and active eq true', ['Ann']],
    ['userName eq "\'; drop table users; --"', []],
  ])('by %s has %j', async (filter, names) => {
    const reply = await find(filter)
    expect([reply.status, idsOf(reply).map(nameOf).sort()]).toEqual([200, [...names].sort()])
    expect(reply.body.totalResults).toBe(names.length)
  })

  it('by its id has one, and those of others are in none', async () => {
    expect(idsOf(await find(`id eq "${ids['bob']}"`))).toEqual([ids['bob']])
    const outsider = await aUser(identity)
    expect(
      idsOf(
        await find(`id eq "${outsider.id}" or userName eq "${outsider.email}" or emails.value eq "${outsider.email}"`),
      ),
    ).toEqual([])
    expect((await send({ path: `/Users/${outsider.id}` })).status).toBe(404)
  })

  it.each([
    'userName',
    'userName eq',
    'userName is "a"',
    'title eq "Guide"',
    'password eq "a"',
    '__proto__ eq "a"',
    'constructor.name eq "a"',
    'emails.__proto__ eq "a"',
    'active gt true',
    'active eq "perhaps"',
    `${'('.repeat(2_000)}userName eq "a"${')'.repeat(2_000)}`,
    `${'not '.repeat(900)}(userName eq "a")`,
    Array.from({ length: 200 }, () => 'userName eq "a"').join(' or '),
  ])('by a filter that is none or not supported is refused: %.60s', async filter => {
    const reply = await send({ method: 'POST', path: '/Users/.search', body: { filter } })
    expect([reply.status, reply.body]).toMatchObject([400, { scimType: 'invalidFilter' }])
  })

  it('is read page by page', async () => {
    const page = async (start: number, count: number) =>
      (await send({ path: `/Users?startIndex=${start}&count=${count}` })).body
    const whole = await page(1, 100)
    expect(whole).toMatchObject({ totalResults: 4, itemsPerPage: 4, startIndex: 1 })
    const pages = await Promise.all([1, 2, 3, 4, 5].map(start => page(start, 1)))
    expect(pages.flatMap(({ Resources }) => Resources)).toEqual(whole.Resources)
    expect(pages[4]).toMatchObject({ totalResults: 4, itemsPerPage: 0, startIndex: 5, Resources: [] })
    expect(await page(-3, -1)).toMatchObject({ totalResults: 4, itemsPerPage: 0, startIndex: 1 })
    expect(await page(1, 100_000)).toMatchObject({ itemsPerPage: 4 })
  })

  it('is sorted by an attribute', async () => {
    const names = async (query: string) =>
      idsOf(await send({ path: `/Users?${query}&filter=externalId%20pr%20or%20userName%20eq%20%22bob%22` })).map(nameOf)
    expect(await names('sortBy=userName')).toEqual(['Ann', 'bob', 'cleo'])
    expect(await names('sortBy=USERNAME&sortOrder=descending')).toEqual(['cleo', 'bob', 'Ann'])
    const reply = await send({ path: '/Users?sortBy=__proto__' })
    expect([reply.status, reply.body]).toMatchObject([400, { scimType: 'invalidValue' }])
  })

  it('has the attributes that were asked for', async () => {
    const [one] = (await find('userName eq "bob"', '&attributes=userName,emails.value')).body.Resources
    expect(one).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: ids['bob'],
      userName: 'bob',
      emails: [{ value: 'list-bob@corp.test' }, { value: 'bob@home.test' }],
    })
    const body = { filter: 'userName eq "bob"', excludedAttributes: ['emails', 'Name', 'meta.version', 'id'] }
    const [other] = (await send({ method: 'POST', path: '/Users/.search', body })).body.Resources
    expect(Object.keys(other)).toEqual(expect.arrayContaining(['id', 'userName', 'meta']))
    expect(other).not.toHaveProperty('emails')
    expect(other).not.toHaveProperty('name')
    expect(other.meta).not.toHaveProperty('version')
  })
})

describe('a condition', () => {
  it('on the version of a user is compared, weak or strong', async () => {
    const { createNamed, send } = await aProvisionedOrganization()
    const path = `/Users/${await createNamed(unique())}`
    const tag = (await send({ path })).headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/"[\w-]+"$/)
    expect((await send({ path, headers: { 'if-none-match': tag } })).status).toBe(304)
    const change = (value: string, ifMatch: string) =>
      send({
        method: 'PATCH',
        path,
        headers: { 'if-match': ifMatch },
        body: { Operations: [{ op: 'replace', path: 'title', value }] },
      })
    const changed = await change('A', tag)
    expect([changed.status, changed.body.title]).toEqual([200, 'A'])
    const refused = await change('B', tag)
    expect([refused.status, refused.body.status, refused.headers.get('etag')]).toEqual([
      412,
      '412',
      changed.headers.get('etag'),
    ])
    expect((await send({ method: 'DELETE', path, headers: { 'if-match': tag } })).status).toBe(412)
    expect((await change('C', (changed.headers.get('etag') ?? '').slice(2))).status).toBe(200)
    expect((await send({ method: 'DELETE', path, headers: { 'if-match': '*' } })).status).toBe(204)
  })
})

describe('a token', () => {
  it.each<[string, () => Promise<string>]>([
    [
      'of a member who is no admin',
      async () => (await aMember(identity, (await anOrganization(identity)).id, 'create')).token,
    ],
    ['of somebody without an organization', async () => (await aUser(identity)).token],
    [
      'of an admin of two organizations',
      async () => {
        const { admin } = await anOrganization(identity)
        await joinOrganization(identity, {
          organization: (await anOrganization(identity)).id,
          userId: admin.id,
          role: 'admin',
        })
        return admin.token
      },
    ],
  ])('%s provisions nothing', async (_case, token) => {
    const send = endpoint.as(await token())
    for (const path of ['/Users', '/Groups', '/Users/x', '/ServiceProviderConfig', '/Schemas'])
      expect(await send({ path })).toMatchObject({ status: 403, body: { status: '403' } })
    const reply = await send({ method: 'POST', path: '/Users', body: sentUser(unique()) })
    expect(reply).toMatchObject({ status: 403, body: { status: '403' } })
  })

  it('of one organization changes nobody of another', async () => {
    const [own, other] = [await aProvisionedOrganization(), await aProvisionedOrganization()]
    const id = await other.createNamed(unique())
    const patch = { Operations: [{ op: 'replace', path: 'title', value: 'Mine' }] }
    const requests = [
      { method: 'PUT', body: sentUser(unique()) },
      { method: 'PATCH', body: patch },
      { method: 'DELETE' },
      {},
    ]
    for (const request of requests)
      expect(await own.send({ path: `/Users/${id}`, ...request })).toMatchObject({ status: 404 })
    expect((await other.send({ path: `/Users/${id}` })).body).not.toHaveProperty('title')
  })
})
