import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anOrganization, aUser, type TestUser } from '../test/factories.ts'
import { aScimSetup, type ScimSetup, type SendScim } from '../test/scim/endpoint.ts'
import {
  aProvisionedOrganization as provisionedOrganization,
  aScimToken,
  idsOf,
  sentUser,
  unique,
} from '../test/scim/provisioned-organization.ts'

let setup: ScimSetup
beforeAll(async () => void (setup = await aScimSetup()))
afterAll(() => setup.stop())

const aProvisionedOrganization = (options?: { adminEmail: string }) => provisionedOrganization(setup, options)

describe('a list of users', () => {
  let send: SendScim
  const ids: Record<string, string> = {}
  let admin: TestUser
  beforeAll(async () => {
    // Filters compare names: a random one would be between two others now and then.
    const organization = await aProvisionedOrganization({ adminEmail: `admin-${unique()}@example.org` })
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
    const outsider = await aUser(setup.identity)
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
    ['of an admin who is a person', async () => (await anOrganization(setup.identity)).admin.token],
    ['of somebody without an organization', async () => (await aUser(setup.identity)).token],
    [
      'of a service account that is no admin',
      async () => aScimToken(await anOrganization(setup.identity), { role: 'create' }),
    ],
    [
      'of a service account without the scope',
      async () => aScimToken(await anOrganization(setup.identity), { scopes: ['read', 'write'] }),
    ],
  ])('%s provisions nothing', async (_case, token) => {
    const send = setup.as(await token())
    for (const path of ['/Users', '/Groups', '/Users/x', '/ServiceProviderConfig', '/Schemas'])
      expect(await send({ path })).toMatchObject({ status: 403, body: { status: '403' } })
    const reply = await send({ method: 'POST', path: '/Users', body: sentUser(unique()) })
    expect(reply).toMatchObject({ status: 403, body: { status: '403' } })
  })

  it('provisions no service account, neither itself', async () => {
    const { id, admin, send } = await aProvisionedOrganization()
    const account = await (
      await admin.client()
    ).createServiceAccount({ params: { organizationId: id }, body: { name: 'Search', role: 'read' } })
    const { items } = await (await admin.client()).listServiceAccounts({ params: { organizationId: id } })
    expect(items.length).toBe(2)
    expect(idsOf(await send({ path: '/Users' }))).toEqual([admin.id])
    for (const method of ['GET', 'DELETE'])
      expect(await send({ method, path: `/Users/${account.id}` })).toMatchObject({ status: 404 })
    const body = { displayName: 'Writers', members: [{ value: account.id }] }
    expect(await send({ method: 'POST', path: '/Groups', body })).toMatchObject({ status: 400 })
  })

  it('of one organization changes nobody of another', async () => {
    const own = await aProvisionedOrganization()
    const other = await aProvisionedOrganization()
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
