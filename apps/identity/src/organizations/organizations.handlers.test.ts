import { identityEvents } from '@recto/contracts-identity-bus'
import { onSignal } from '@recto/bus'
import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { issueToken } from '../users/tokens.rules.ts'
import * as tokens from '../users/tokens.repository.ts'
import { aMember, anOrganization, aTeam, aUser } from '../test/factories.ts'
import { adminToken, anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { aPublishingResponder, type PublishingResponder } from '../test/publishing-responder.ts'

let identity: IdentitySetup
let publishing: PublishingResponder
beforeAll(async () => {
  identity = await anIdentity()
  publishing = await aPublishingResponder(identity)
})
afterAll(async () => {
  await publishing.stop()
  await identity.stop()
})

describe('organizations', () => {
  it('have their creator as admin at once', async () => {
    const { token } = await aUser(identity)
    const client = await identity.as(token)
    const made = await client.createOrganization({
      body: { title: 'Docs', useCase: 'productDocs', emailDomains: ['recto.test'] },
    })
    expect(made).toMatchObject({
      object: 'organization',
      title: 'Docs',
      type: 'business',
      permissions: { view: true, admin: true },
    })
    expect(await identity.actorOf(token)).toMatchObject({
      memberships: [{ organization: made.id, role: 'admin', teams: [] }],
    })
    const member = await identity.as(token)
    expect(await member.getOrganizationById({ params: { organizationId: made.id } })).toEqual(made)
  })

  it('start with a default site when the request wants one, and not at all when there can be none', async () => {
    const { token } = await aUser(identity)
    const client = await identity.as(token)
    const openapiUrl = 'https://api.test/openapi.json'
    const onboardingPreferences = { source: 'import' as const, audience: 'internal' as const, interests: [] }
    const made = await client.createOrganization({
      query: { withDefaultSite: 'true', openapiUrl },
      body: { title: 'Docs', onboardingPreferences },
    })
    const [request] = publishing.defaultSites
    expect(request).toMatchObject({ organization: made.id, title: 'Docs', openapiUrl, sample: false, visibility: 'visitor-auth' }) // prettier-ignore
    expect(request?.actor.memberships).toContainEqual({ organization: made.id, role: 'admin', teams: [] })
    expect(made.defaultContent).toEqual({ type: 'site', site: expect.any(String) })
    publishing.failNext()
    const member = await identity.as(token)
    const refused = member.createOrganization({ query: { withDefaultSite: 'true' }, body: { title: 'None' } })
    await expect(refused).rejects.toMatchObject({ code: 'conflict' })
    expect(await (await identity.as(token)).listOrganizationsForAuthenticatedUser()).toMatchObject({ count: 1 })
    expect(await member.createOrganization({ body: { title: 'Plain', onboardingPreferences } })).not.toHaveProperty('defaultContent') // prettier-ignore
    expect(publishing.defaultSites).toHaveLength(1)
  })

  it('are not found for outsiders', async () => {
    const made = await (await (await aUser(identity)).client()).createOrganization({ body: { title: 'Hidden' } })
    const stranger = await (await aUser(identity)).client()
    const seen = await stranger
      .getOrganizationById({ params: { organizationId: made.id } })
      .catch((error: Error) => error.message)
    const absent = await stranger
      .getOrganizationById({ params: { organizationId: 'nothing' } })
      .catch((error: Error) => error.message)
    expect(seen).toBe(absent)
    expect(await stranger.listOrganizationsForAuthenticatedUser()).toEqual({ items: [], count: 0 })
  })

  it('are listed newest first, in pages that stay stable during concurrent creation', async () => {
    const { token } = await aUser(identity)
    const titles = ['one', 'two', 'three', 'four', 'five'].map(title => `the ${title}`)
    for (const title of titles) await (await identity.as(token)).createOrganization({ body: { title } })
    const client = await identity.as(token)
    const first = await client.listOrganizationsForAuthenticatedUser({ query: { limit: 2 } })
    expect([first.items.map(({ title }) => title), first.count]).toEqual([['the five', 'the four'], 5])
    await client.createOrganization({ body: { title: 'later' } })
    const second = await client.listOrganizationsForAuthenticatedUser({ query: { limit: 3, page: first.next?.page } })
    expect(second.items.map(({ title }) => title)).toEqual(['the three', 'the two', 'the one'])
    expect(second.next).toBeUndefined()
  })

  it.each([
    [{ limit: 1001 }, 'query.limit'],
    [{ limit: -1 }, 'query.limit'],
    [{ page: 'made-up' }, 'query.page'],
  ])('a list refuses %j', async (query, path) => {
    const client = await (await aUser(identity)).client()
    const refused = client.listOrganizationsForAuthenticatedUser({ query })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
  })

  it.each([
    [{ title: 'x' }, 'body.title'],
    [{ title: 'x'.repeat(256) }, 'body.title'],
    [{ title: 'fine', emailDomains: ['not a domain'] }, 'body.emailDomains.0'],
  ])('creating refuses %j', async (body, path) => {
    const client = await (await aUser(identity)).client()
    await expect(client.createOrganization({ body })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path }],
    })
  })

  it('count the title in code points', async () => {
    const client = await (await aUser(identity)).client()
    expect(await client.createOrganization({ body: { title: '📚'.repeat(255) } })).toMatchObject({
      title: '📚'.repeat(255),
    })
  })

  it('share an API that reports its version, its build and the clients that it answers', async () => {
    const client = await (await aUser(identity)).client()
    expect(await client.getApiInformation()).toEqual({ version: '1', build: 'test', clients: ['0.143.2', '0.202.0'] })
  })
})

describe('an organization', () => {
  it('is changed by its admins: absent fields are kept, null clears', async () => {
    const { id, admin } = await anOrganization(identity, { title: 'Before' })
    const client = await admin.client()
    const params = { organizationId: id }
    const hostname = `docs-${createId().toLowerCase()}`
    const changed = await client.updateOrganizationById({
      params,
      body: {
        title: 'After',
        emailDomains: ['Recto.Test', 'bücher.example', 'recto.test'],
        hostname,
        defaultRole: null,
        logo: 'https://recto.test/logo.png',
        ai: true,
        inviteLinks: false,
        mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
      },
    })
    expect(changed).toMatchObject({
      title: 'After',
      emailDomains: ['recto.test', 'xn--bcher-kva.example'],
      hostname,
      defaultRole: null,
      sso: false,
      ai: true,
      inviteLinks: false,
      mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
      urls: { logo: 'https://recto.test/logo.png' },
    })
    expect(await client.getOrganizationById({ params })).toEqual(changed)
    const cleared = await client.updateOrganizationById({
      params,
      body: { hostname: null, logo: null, defaultContent: null },
    })
    expect(cleared).toMatchObject({ title: 'After', ai: true })
    expect([cleared.hostname, cleared.urls.logo]).toEqual([undefined, undefined])
    expect(await client.updateOrganizationById({ params, body: {} })).toEqual(cleared)
  })

  it.each<[string, object, string]>([
    ['a title of one character', { title: 'a' }, 'body.title'],
    ['what is no domain', { emailDomains: ['fine.test', 'a b.test'] }, 'body.emailDomains.1'],
    ['what looks like a domain and is none', { emailDomains: ['xn--a.test'] }, 'body.emailDomains.0'],
    ['a hostname with capitals', { hostname: 'Docs' }, 'body.hostname'],
    ['an unknown role', { defaultRole: 'owner' }, 'body.defaultRole'],
    ['a site that is not there', { defaultContent: { type: 'site', site: 'nothing' } }, 'body.defaultContent.site'],
    ['a logo that is no web address', { logo: 'javascript:alert(1)' }, 'body.logo'],
    ['merge rules of spaces', { mergeRules: { type: 'inherit' } }, 'body.mergeRules.type'],
  ])('is not changed by %s', async (_case, body, path) => {
    const { id, admin } = await anOrganization(identity)
    const client = await admin.client()
    const before = await client.getOrganizationById({ params: { organizationId: id } })
    await expect(
      client.updateOrganizationById({ params: { organizationId: id }, body: { ...body, ai: true } }),
    ).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    expect(await client.getOrganizationById({ params: { organizationId: id } })).toEqual(before)
  })

  it('begins at a site of its own, never at one of another organization', async () => {
    const { id, admin } = await anOrganization(identity)
    const other = await anOrganization(identity)
    const client = await admin.client()
    const change = (site: string | null) =>
      client.updateOrganizationById({
        params: { organizationId: id },
        body: { defaultContent: site === null ? null : { type: 'site', site } },
      })
    const site = publishing.aSite(id)
    expect((await change(site)).defaultContent).toEqual({ type: 'site', site })
    await expect(change(publishing.aSite(other.id))).rejects.toMatchObject({
      details: [{ path: 'body.defaultContent.site', message: 'is not a site of the organization' }],
    })
    expect((await client.getOrganizationById({ params: { organizationId: id } })).defaultContent?.site).toBe(site)
    expect((await change(null)).defaultContent).toBeUndefined()
  })

  it('refuses the hostname of another organization', async () => {
    const one = await anOrganization(identity)
    const two = await anOrganization(identity)
    const take = async ({ id, admin }: typeof one) =>
      (await admin.client()).updateOrganizationById({ params: { organizationId: id }, body: { hostname: 'taken' } })
    await take(one)
    expect(await failure(take(two))).toBe('conflict')
    expect(await take(one)).toMatchObject({ hostname: 'taken' })
  })

  it('is not changed by members below admin', async () => {
    const { id } = await anOrganization(identity)
    const member = await aMember(identity, id, 'create')
    expect(
      await failure(
        (await member.client()).updateOrganizationById({ params: { organizationId: id }, body: { ai: true } }),
      ),
    ).toBe('forbidden')
  })

  it('shows a member the permission ownTeam', async () => {
    const organization = await anOrganization(identity)
    const owner = await aMember(identity, organization.id, null)
    await aTeam(identity, organization, { owners: [owner] })
    expect((await (await owner.client()).listOrganizationsForAuthenticatedUser()).items).toMatchObject([
      { permissions: { view: true, ownTeam: true, listTeams: false } },
    ])
  })
})

describe('an e-mail domain', () => {
  it('lists joinable organizations to users with such an e-mail, and to others only their own', async () => {
    const domain = `${createId().toLowerCase()}.test`
    const { id, admin } = await anOrganization(identity, { emailDomains: [domain.toUpperCase()] })
    const organizationsFor = async (user: { client(): Promise<Awaited<ReturnType<typeof admin.client>>> }) =>
      (await (await user.client()).getOrganizationsForEmailDomain({ params: { emailDomain: domain.toUpperCase() } }))
        .organizations
    expect(await organizationsFor(await aUser(identity, { email: `ada@${domain}` }))).toMatchObject([
      { id, permissions: { view: false } },
    ])
    expect(await organizationsFor(await aUser(identity))).toEqual([])
    expect(await organizationsFor(admin)).toMatchObject([{ id, permissions: { view: true } }])
    expect(await organizationsFor({ client: () => identity.as(adminToken) })).toMatchObject([{ id }])
    expect(
      (await (await admin.client()).getOrganizationsForEmailDomain({ params: { emailDomain: 'no domain' } }))
        .organizations,
    ).toEqual([])
  })
})

describe('an organization that requires single sign-on', () => {
  async function required() {
    const { id, admin } = await anOrganization(identity)
    const member = await aMember(identity, id, 'create')
    const changed: unknown[] = []
    onSignal(identity.gateway, identityEvents.actorChanged, event => void changed.push(event))
    await identity.gateway.connection.flush()
    await (await admin.client()).updateOrganizationById({ params: { organizationId: id }, body: { sso: true } })
    return { id, admin, member, changed }
  }

  it('refuses other tokens at once, but for admins', async () => {
    const { id, admin, member, changed } = await required()
    expect(changed).toContainEqual({ userIds: [], organizations: [id] })
    const client = await member.client()
    await expect(client.getOrganizationById({ params: { organizationId: id } })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('single sign-on'),
    })
    expect((await client.listOrganizationsForAuthenticatedUser()).items).toMatchObject([
      { id, permissions: { view: false } },
    ])
    expect(await (await admin.client()).getOrganizationById({ params: { organizationId: id } })).toMatchObject({
      sso: true,
    })
    await (await admin.client()).updateOrganizationById({ params: { organizationId: id }, body: { sso: false } })
    expect(await (await member.client()).getOrganizationById({ params: { organizationId: id } })).toMatchObject({
      sso: false,
    })
  })

  it('accepts tokens of its sign-in, which are not valid elsewhere', async () => {
    const { id, member } = await required()
    const elsewhere = await (await member.client()).createOrganization({ body: { title: 'Elsewhere' } })
    const { row, token } = issueToken(
      { name: 'sign-in', scopes: ['read', 'write', 'admin'] },
      { userId: member.id, issuerScopes: ['admin'], signIn: { organization: id, provider: null }, now: new Date() },
    )
    await tokens.insert(identity.service.db, row)
    const client = await identity.as(token)
    expect(await client.getOrganizationById({ params: { organizationId: id } })).toMatchObject({ id })
    expect(await failure(client.getOrganizationById({ params: { organizationId: elsewhere.id } }))).toBe('not_found')
    expect((await client.listOrganizationsForAuthenticatedUser()).items.map(organization => organization.id)).toEqual([
      id,
    ])
    expect(await failure(client.createOrganization({ body: { title: 'More' } }))).toBe('forbidden')
    expect(await failure(client.updateUserById({ params: { userId: member.id }, body: { displayName: 'Eve' } }))).toBe(
      'forbidden',
    )
    const more = await client.createToken({ body: { name: 'more' } })
    expect(await identity.actorOf(more.token)).toMatchObject({ sso: id, platformAdmin: false })
    expect((await client.listTokens()).items.map(({ name }) => name)).toEqual(['more', 'sign-in'])
    const first = (await (await member.client()).listTokens()).items.find(({ name }) => name === 'test')
    await client.deleteToken({ params: { tokenId: first?.id ?? '' } })
    expect(await identity.actorOf(member.token)).not.toBeNull()
  })
})
