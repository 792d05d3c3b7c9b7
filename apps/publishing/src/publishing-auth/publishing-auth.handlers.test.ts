import { busClient } from '@recto/bus'
import { publishingRpc } from '@recto/contracts-publishing-bus'
import { query } from '@recto/database'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

let params: { organizationId: string; siteId: string }
beforeEach(async () => {
  const spaces = [publishing.content.aSpace('Manual')]
  const site = await creator().createSite({ params: { organizationId: organization }, body: { spaces } })
  params = { organizationId: organization, siteId: site.id }
})
const creator = () => publishing.as('create')
const get = () => creator().getSitePublishingAuthById({ params })
const regenerate = (body?: { revoke: boolean }) => creator().regenerateSitePublishingAuthById({ params, body })
const closedVersion = async () => {
  const gateway = busClient(publishing.gateway, publishingRpc, { service: 'publishing' })
  const { sites } = await gateway.listClosedSites({ body: {} })
  return sites.find(({ site }) => site === params.siteId)?.closedVersion ?? 0
}

it('has a key from the first use, which is nowhere in clear', async () => {
  const all = await Promise.all([get(), get(), get()])
  expect(new Set(all.map(({ privateKey }) => privateKey)).size).toBe(1)
  expect(schemas.validateReply('getSitePublishingAuthById', 200, all[0])).toEqual([])
  expect(all[0]).toEqual({
    object: 'publishing-auth',
    backend: 'custom',
    privateKey: expect.stringMatching(/^[\w-]{43}$/),
  })
  const [stored] = await query<{ row: string }>(
    publishing.service.db,
    'select site_auth::text || encode(private_key, $2) as row from site_auth where site_id = $1',
    [params.siteId, 'escape'],
  )
  expect(stored?.row).not.toContain(all[0]?.privateKey)
})

it('is a change of the site at its first use alone, so that lookups know it at once', async () => {
  const version = async () => {
    const [row] = await query<{ version: number }>(
      publishing.service.db,
      'select version::int as version from sites where id = $1',
      [params.siteId],
    )
    return row?.version
  }
  const before = await version()
  await get()
  const after = await version()
  expect(after).toBeGreaterThan(before ?? 0)
  await get()
  expect(await version()).toBe(after)
})

describe('updateSitePublishingAuthById', () => {
  it('sets where visitors go after they signed out, which members and visitors read of the site', async () => {
    const body = { fallbackURL: 'https://login.test/', logoutURL: 'https://login.test/bye' }
    const auth = await creator().updateSitePublishingAuthById({ params, body })
    expect(schemas.validateReply('updateSitePublishingAuthById', 200, auth)).toEqual([])
    expect(auth).toMatchObject(body)
    const urls = { login: body.fallbackURL, logout: body.logoutURL }
    expect(await creator().getSiteById({ params })).toMatchObject({ urls })
    const { items } = await creator().listSites({ params: { organizationId: organization } })
    expect(items.find(({ id }) => id === params.siteId)).toMatchObject({ urls })
    await creator().publishSite({ params })
    const published = await creator().getPublishedContentSite({ params, query: {} })
    expect(published.site).toMatchObject({ urls })
    await creator().updateSitePublishingAuthById({ params, body: { logoutURL: null } })
    expect((await get()).logoutURL).toBeUndefined()
    expect((await get()).fallbackURL).toBe(body.fallbackURL)
    const wrong = creator().updateSitePublishingAuthById({ params, body: { logoutURL: 'javascript:alert(1)' } })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body.logoutURL' }] })
  })

  it('says where visitors log in', async () => {
    const { privateKey } = await get()
    const update = (body: object) => creator().updateSitePublishingAuthById({ params, body })
    const changed = await update({ backend: 'custom', fallbackURL: 'https://login.test/in' })
    expect(schemas.validateReply('updateSitePublishingAuthById', 200, changed)).toEqual([])
    expect(changed).toMatchObject({ privateKey, fallbackURL: 'https://login.test/in' })
    expect(await update({ backend: 'custom' })).toEqual(changed)
    expect((await update({ fallbackURL: null })).fallbackURL).toBeUndefined()
  })

  it.each([
    ['backend', { backend: 'integration', integration: 'okta' }, /integrations do not exist here/],
    ['fallbackURL', { fallbackURL: 'javascript:alert(1)' }, /must be an http or https URL/],
  ])('refuses %s', async (field, body, message) => {
    await expect(creator().updateSitePublishingAuthById({ params, body: body as never })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: `body.${field}`, message: expect.stringMatching(message) }],
    })
  })
})

describe('the OpenID provider of a site', () => {
  const oidc = { issuer: 'https://login.test/realms/acme', clientId: 'docs', clientSecret: 'a-secret-of-a-client' }
  const update = (change: object | null) =>
    creator().updateSitePublishingAuthById({
      params,
      body: { oidc: change === null ? null : ({ ...oidc, ...change } as never) },
    })

  it('is shown without its secret, with the addresses that it has to know', async () => {
    const auth = await update({ claims: { plan: 'https://acme.com/plan' } })
    expect(schemas.validateReply('updateSitePublishingAuthById', 200, auth)).toEqual([])
    const { basename } = await creator().getSiteById({ params })
    const root = `https://${basename}.docs.test`
    expect(auth.oidc).toEqual({
      issuer: oidc.issuer,
      clientId: 'docs',
      hasClientSecret: true,
      scopes: ['profile', 'email'],
      claims: { plan: 'https://acme.com/plan' },
      redirectURLs: [`${root}/~recto/sign-in/callback`],
      postLogoutRedirectURLs: [`${root}/~recto/signed-out`],
      backchannelLogoutURL: `http://recto.test/v1/orgs/${organization}/sites/${params.siteId}/publishing/auth/logout`,
    })
    expect(await get()).toEqual(auth)
    expect(schemas.validateReply('getSitePublishingAuthById', 200, await get())).toEqual([])
    expect(JSON.stringify([auth, await regenerate()])).not.toContain(oidc.clientSecret)
    const [stored] = await query<{ row: string }>(
      publishing.service.db,
      `select site_oidc::text || encode(client_secret, 'escape') as row from site_oidc where site_id = $1`,
      [params.siteId],
    )
    expect(stored?.row).not.toContain(oidc.clientSecret)
  })

  it('keeps what a change leaves out of the site, and its secret for the same client', async () => {
    await update({})
    const { clientSecret: _left, ...rest } = oidc
    const body = { oidc: { ...rest, scopes: [] } }
    expect((await creator().updateSitePublishingAuthById({ params, body })).oidc?.hasClientSecret).toBe(true)
    await creator().updateSitePublishingAuthById({ params, body: { fallbackURL: 'https://login.test/in' } })
    expect((await get()).oidc?.scopes).toEqual([])
    expect((await update({ clientSecret: null })).oidc?.hasClientSecret).toBe(false)
    expect((await update(null)).oidc).toBeUndefined()
    expect((await get()).oidc).toBeUndefined()
  })

  it('says where visitors go after they signed out, as the site does', async () => {
    await creator().updateSitePublishingAuthById({ params, body: { logoutURL: 'https://acme.test/bye' } })
    expect((await update({})).oidc?.postLogoutRedirectURLs).toEqual(['https://acme.test/bye'])
  })

  it.each<[string, object]>([
    ['issuer', { issuer: 'http://login.test' }],
    ['issuer', { issuer: 'https://user:password@login.test' }],
    ['issuer', { issuer: 'https://login.test?x=1' }],
    ['issuer', { issuer: 'javascript:alert(1)' }],
    ['clientId', { clientId: '' }],
    ['clientSecret', { clientSecret: undefined }],
    ['clientSecret', { clientSecret: 'x'.repeat(1_025) }],
    ['scopes.0', { scopes: ['a b'] }],
    ['scopes', { scopes: Array.from({ length: 11 }, (_, at) => `s${at}`) }],
    ['claims.plan', { claims: { plan: 1 } }],
    ['claims.plan', { claims: { plan: 'x'.repeat(257) } }],
    ['claims.unsigned', { claims: { unsigned: 'x' } }],
    ['claims', { claims: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`c${at}`, 'x'])) }],
  ])('is refused for its %s: %j', async (field, change) => {
    await expect(update(change)).rejects.toMatchObject({
      code: 'invalid_request',
      details: expect.arrayContaining([expect.objectContaining({ path: `body.oidc.${field}` })]),
    })
    expect((await get()).oidc).toBeUndefined()
  })

  it('is refused for a field that is misspelt, which would count as left out', async () => {
    await expect(update({ claim: { plan: 'plan' } })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.oidc', message: expect.stringContaining('must not have "claim", only issuer') }],
    })
  })
})

describe('regenerateSitePublishingAuthById', () => {
  it('replaces the key, and says until when the one before is valid', async () => {
    await creator().publishSite({ params })
    const before = await get()
    const closed = await closedVersion()
    const after = await regenerate()
    expect(schemas.validateReply('regenerateSitePublishingAuthById', 200, after)).toEqual([])
    expect(after.privateKey).not.toBe(before.privateKey)
    expect(Date.parse(after.previousKeyUntil ?? '')).toBeGreaterThan(Date.now())
    expect(await get()).toEqual(after)
    expect(await closedVersion()).toBe(closed)
  })

  it('ends the key before and all visits when it is revoked', async () => {
    await creator().publishSite({ params })
    const before = await regenerate()
    const closed = await closedVersion()
    const after = await regenerate({ revoke: true })
    expect(after.privateKey).not.toBe(before.privateKey)
    expect(after.previousKeyUntil).toBeUndefined()
    expect(await closedVersion()).toBeGreaterThan(closed)
  })
})

it('the key is shown to those who manage sites', async () => {
  for (const role of ['read', 'edit', 'review', null, undefined] as const) {
    const client = publishing.as(role)
    const refused = { code: role === undefined ? 'not_found' : role === null ? 'not_found' : 'forbidden' }
    await expect(client.getSitePublishingAuthById({ params })).rejects.toMatchObject(refused)
    await expect(client.updateSitePublishingAuthById({ params, body: {} })).rejects.toMatchObject(refused)
    await expect(client.regenerateSitePublishingAuthById({ params })).rejects.toMatchObject(refused)
  }
})
