import { verifyVisitorToken, visitorTokenKeys } from '@recto/actor/visitor-token'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, replySchemas } from '@recto/testing'
import { SiteAuthEntity } from '../publishing-auth/site-auth.entity.ts'
import { newSiteKey, siteKeys } from '../publishing-auth/keys.ts'
import { anIdentityResponder, type IdentityResponder } from '../test/identity-responder.ts'
import { aPublishing, organization, secret, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()

let publishing: PublishingSetup
let identity: IdentityResponder
beforeAll(async () => {
  publishing = await aPublishing({ READER_URL: 'https://reader.test/' })
  identity = await anIdentityResponder(publishing.natsUrlFor('identity'))
  for (const user of ['a-read', 'eve']) identity.setMember(user, 'read')
})
afterAll(async () => {
  await identity.stop()
  await publishing.stop()
})

const client = () => publishing.as('create')
type Settings = Parameters<ReturnType<typeof client>['updateSiteById']>[0]['body']

/** A published site that shows these spaces. */
async function aSite(spaces: string[], settings: Settings = {}) {
  const { id } = await client().createSite({ params: { organizationId: organization }, body: { spaces } })
  const params = { organizationId: organization, siteId: id }
  await client().publishSite({ params })
  const { basename } = await client().updateSiteById({ params, body: settings })
  return { params, host: `https://${basename}.docs.test` }
}
type Sent = Parameters<ReturnType<typeof client>['resolvePublishedContentByUrl']>[0]
const look = async (url: string, rest: Partial<Sent['body']> = {}, headers: Sent['headers'] = {}) => {
  const lookup = await publishing.anonymous.resolvePublishedContentByUrl({ body: { url, ...rest }, headers })
  expect(schemas.validateReply('resolvePublishedContentByUrl', 200, lookup)).toEqual([])
  return lookup
}
const content = async (...args: Parameters<typeof look>) => {
  const lookup = await look(...args)
  if ('redirect' in lookup) throw new Error(`redirected to ${lookup.redirect}`)
  return lookup
}
const readToken = async (token: string) => (await verifyVisitorToken(token, visitorTokenKeys([secret])))?.actor.visitor
const nothing = { code: 'not_found', message: 'There is no site at this address' }

describe('a public site', () => {
  it('is found by its host, with a token for its spaces', async () => {
    const one = publishing.content.aSpace('Manual')
    const two = publishing.content.aSpace('Old')
    const { params, host } = await aSite([one, two])
    const lookup = await content(`${host}/guides/start`)
    expect(lookup).toMatchObject({
      organization,
      site: params.siteId,
      space: one,
      pathname: '/guides/start',
      basePath: '/',
      siteBasePath: '/',
      complete: true,
      canonicalUrl: `${host}/guides/start`,
    })
    expect(await content(`${host}/old/a`)).toMatchObject({ space: two, basePath: '/old/', pathname: '/a' })
    expect(await content(host)).toMatchObject({ complete: false, pathname: '/' })
    expect(await readToken(lookup.apiToken)).toMatchObject({ organization, site: params.siteId, spaces: [one, two] })
    expect((await content(`${host}/other`)).apiToken).toBe(lookup.apiToken)
  })

  it('is found by its hostname and behind its proxy, and by both at the basename', async () => {
    const hostname = 'docs.example.test'
    const { params, host } = await aSite([publishing.content.aSpace('Manual')], {
      hostname,
      proxy: 'example.test/docs',
    })
    const site = params.siteId
    expect(await content(`https://${hostname}/a`)).toMatchObject({ site, basePath: '/' })
    expect(await content('https://example.test/docs/a')).toMatchObject({
      site,
      basePath: '/docs/',
      siteBasePath: '/docs/',
      pathname: '/a',
      canonicalUrl: 'https://example.test/docs/a',
    })
    expect(await content(`${host}/a`)).toMatchObject({ site, canonicalUrl: 'https://example.test/docs/a' })
    await expect(look('https://example.test/other')).rejects.toMatchObject(nothing)
  })

  it('is found at a host where another site was looked up', async () => {
    const one = await aSite([publishing.content.aSpace('Manual')], { proxy: 'shared.test/one' })
    expect(await content('https://shared.test/one/a')).toMatchObject({ site: one.params.siteId })
    const other = await aSite([publishing.content.aSpace('Help')], { proxy: 'shared.test/other' })
    const lookup = await eventually(async () => content('https://shared.test/other/a'))
    expect(lookup).toMatchObject({ site: other.params.siteId })
  })

  it('has sections', async () => {
    const { params, host } = await aSite([publishing.content.aSpace('Manual')])
    const space = publishing.content.aSpace('Api')
    const section = await client().addSectionToSite({ params, body: { spaceId: space } })
    await eventually(async () =>
      expect(await content(`${host}/api/users`)).toMatchObject({
        siteSection: section.id,
        space,
        basePath: '/api/',
        siteBasePath: '/',
        pathname: '/users',
      }),
    )
  })

  it('is there no more after it is unpublished or deleted, and not before it is published', async () => {
    const { params, host } = await aSite([publishing.content.aSpace('Manual')])
    await content(host)
    await client().unpublishSite({ params })
    await eventually(async () => expect(look(host)).rejects.toMatchObject(nothing))
    await client().publishSite({ params })
    await eventually(async () => expect(await content(host)).toMatchObject({ site: params.siteId }))
    await publishing.as('admin').deleteSiteById({ params })
    await eventually(async () => expect(look(host)).rejects.toMatchObject(nothing))
    await expect(look('https://nobody.docs.test')).rejects.toMatchObject(nothing)
  })

  it('has tokens that read nothing of before its last change', async () => {
    const { params, host } = await aSite([publishing.content.aSpace('Manual')])
    await client().unpublishSite({ params })
    const published = Date.now()
    await client().publishSite({ params })
    await eventually(async () => {
      const { since = 0 } = (await readToken((await content(host)).apiToken)) ?? {}
      expect(since).toBeGreaterThanOrEqual(published)
    })
  })

  it('has tokens that say whether agents are excluded', async () => {
    const { params, host } = await aSite([publishing.content.aSpace('Manual')])
    const excludes = async () => (await readToken((await content(host)).apiToken))?.excludesAgents
    expect(await excludes()).toBeUndefined()
    await client().updateSiteById({ params, body: { agentsContext: 'excluded' } })
    await eventually(async () => expect(await excludes()).toBe(true))
  })

  it('says to a visitor when it shows nothing', async () => {
    const { host } = await aSite([])
    await expect(look(host)).rejects.toMatchObject({ code: 'not_found', message: 'This site shows nothing yet' })
  })

  it('previews a change request whose id is in the path', async () => {
    const space = publishing.content.aSpace('Manual')
    const id = publishing.content.aChangeRequest(space, 1)
    const { host } = await aSite([space])
    const lookup = await content(`${host}/~/changes/${id}/page`)
    expect(lookup).toMatchObject({ changeRequest: id, pathname: '/page', basePath: `/~/changes/${id}/` })
    expect(await readToken(lookup.apiToken)).toMatchObject({ changeRequest: id })
    expect(await content(`${host}/~/changes/a%00b`)).toMatchObject({ pathname: '/~/changes/a%2500b' })
  })
})

describe('a shared site', () => {
  it('is found by the key of an active link only', async () => {
    const { params, host } = await aSite([publishing.content.aSpace('Manual')], { visibility: 'share-link' })
    const link = await client().createSiteShareLink({ params, body: { name: 'Friends' } })
    const address = link.urls.published ?? ''
    const key = new URL(address).pathname.split('/')[1]
    await eventually(async () =>
      expect(await content(`${address}a/b`)).toMatchObject({
        shareKey: key,
        basePath: `/${key}/`,
        siteBasePath: `/${key}/`,
        pathname: '/a/b',
        canonicalUrl: `${address}a/b`,
      }),
    )
    const refused = { code: 'not_found', message: 'This site is shared by secret links, and this is none of them' }
    for (const url of [host, `${host}/wrong/a`]) await expect(look(url)).rejects.toMatchObject(refused)
    const shareLinkId = link.id
    await client().updateSiteShareLinkById({ params: { ...params, shareLinkId }, body: { active: false } })
    await eventually(async () => expect(look(address)).rejects.toMatchObject(refused))
  })
})

describe('a site with a login', () => {
  const key = newSiteKey()
  const login = (claims: object = {}, expires = '1h') =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(expires)
      .sign(new TextEncoder().encode(key))

  async function aClosedSite(fallbackUrl: string | null = 'https://login.test/start?from=docs') {
    const site = await aSite([publishing.content.aSpace('Manual')], {
      visibility: 'visitor-auth',
      adaptiveContent: { enabled: true },
    })
    const { siteId } = site.params
    const row = {
      siteId,
      privateKey: siteKeys.seal(key, siteId, [secret]),
      previousKey: null,
      previousUntil: null,
      fallbackUrl,
    }
    await publishing.service.db.insert(SiteAuthEntity, row)
    return site
  }

  it('sends visitors to the login, and lets them in with its token', async () => {
    const { host } = await aClosedSite()
    expect(await look(`${host}/a/b`)).toEqual({
      target: 'external',
      site: expect.any(String),
      redirect: 'https://login.test/start?from=docs&location=%2Fa%2Fb',
    })
    const lookup = await content(host, { visitor: { jwtToken: await login({ plan: 'pro' }) } })
    expect((await readToken(lookup.apiToken))?.claims).toEqual({ plan: 'pro', unsigned: {} })
  })

  it('refuses a bad token in words, or sends the visitor to log in again', async () => {
    const { host } = await aClosedSite()
    const visitor = { jwtToken: await login({}, '-1h') }
    await expect(look(host, { visitor })).rejects.toMatchObject({ code: 'forbidden', message: 'The login has expired' })
    expect(await look(host, { visitor, redirectOnError: true })).toMatchObject({ target: 'external' })
    const open = await aClosedSite(null)
    await expect(look(open.host)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('needs a login'),
    })
  })

  it('hides what the claims do not allow', async () => {
    const { params, host } = await aClosedSite()
    const secret = publishing.content.aSpace('Secret')
    const { id: siteSpaceId } = await client().addSpaceToSite({ params, body: { spaceId: secret } })
    const body = { condition: 'visitor.claims.plan == "pro"', path: 'secret' }
    await client().updateSiteSpaceById({ params: { ...params, siteSpaceId }, body })
    const spaces = async (claims: object) => {
      const lookup = await content(`${host}/secret/x`, { visitor: { jwtToken: await login(claims) } })
      return { space: lookup.space, read: (await readToken(lookup.apiToken))?.spaces ?? [] }
    }
    await eventually(async () => expect((await spaces({ plan: 'pro' })).space).toBe(secret))
    const free = await spaces({ plan: 'free' })
    expect([free.space === secret, free.read.includes(secret)]).toEqual([false, false])
  })
})

describe('getSitePublishingPreviewById', () => {
  it('gives an address behind which the site is seen as with these claims, also before it is published', async () => {
    const space = publishing.content.aSpace('Manual')
    const created = await client().createSite({ params: { organizationId: organization }, body: { spaces: [space] } })
    const params = { organizationId: organization, siteId: created.id }
    const query = { claims: '(plan:pro)' }
    const preview = await publishing.as('read').getSitePublishingPreviewById({ params, query })
    expect(schemas.validateReply('getSitePublishingPreviewById', 200, preview)).toEqual([])
    const url = new URL(preview.url)
    expect(`${url.origin}${url.pathname}`).toBe(`https://reader.test/url/preview/${created.id}/`)
    const authorization = `Bearer ${url.searchParams.get('token')}`
    const lookup = await content(`https://preview/${created.id}/a`, {}, { authorization })
    expect(lookup).toMatchObject({ site: created.id, space, siteBasePath: `/${created.id}/`, pathname: '/a' })
    expect(await readToken(lookup.apiToken)).toMatchObject({ previews: true, claims: { plan: 'pro' }, spaces: [space] })

    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${lookup.apiToken}` }])
      await expect(look(`https://preview/${created.id}`, {}, headers)).rejects.toMatchObject({ code: 'not_found' })
    await expect(look('https://preview/another', {}, { authorization })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('shows only what who asked for it can read, and names faulty parameters', async () => {
    const open = publishing.content.aSpace('Open')
    const closed = publishing.content.aSpace('Closed')
    const { params } = await aSite([open, closed])
    publishing.content.setRole(closed, 'eve', null)
    const { url } = await publishing.as('read', 'eve').getSitePublishingPreviewById({ params })
    const authorization = `Bearer ${new URL(url).searchParams.get('token')}`
    const lookup = await content(`https://preview/${params.siteId}`, {}, { authorization })
    expect((await readToken(lookup.apiToken))?.spaces).toEqual([open])
    for (const query of [{ claims: 'no rison (' }, { claims: '!(a,b)' }])
      await expect(client().getSitePublishingPreviewById({ params, query })).rejects.toMatchObject({
        details: [{ path: 'query.claims', message: 'must be an object in Rison' }],
      })
    await expect(
      client().getSitePublishingPreviewById({ params, query: { siteSpace: 'nothing' } }),
    ).rejects.toMatchObject({ code: 'not_found', details: [{ path: 'query.siteSpace' }] })
    await expect(publishing.as(null).getSitePublishingPreviewById({ params })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
