import { api } from '@recto/contracts'
import { routeOf, type Operation } from '@recto/operation'
import { replySchemas } from '@recto/testing'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, sendOk, sendRaw, type Person } from './people.ts'
import { aSecondGateway } from './second-gateway.ts'
import { anAdaptiveSchema, aSite, type MadeSite } from './sites.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'

const schemas = replySchemas()

let stack: Installation
let second: Awaited<ReturnType<typeof aSecondGateway>>
let admin: Person
let organizationId: string

beforeAll(async () => {
  const limits = { REFUSAL_LIMIT: '100000', RATE_LIMIT: '100000' }
  stack = await sharedStack()
  second = await aSecondGateway(stack, limits)
  const organization = await anOrganization(stack)
  admin = organization.admin
  organizationId = organization.id
})

afterAll(async () => {
  await second.stop()
})

/** A site with a part of every kind, and where visitors open it. */
interface OpenSite extends MadeSite {
  spaceId: string
  revisionId: string
  address: string
}

const orgs = () => admin.client.orgs
const update = (siteId: string, body: object) => orgs().updateSiteById(organizationId, siteId, body as never)

async function anOpenSite(settings: object = {}): Promise<OpenSite> {
  const space = await orgs().createSpace(organizationId, { title: 'Manual' } as never)
  const site = await aSite(admin, organizationId, space.data.id)
  const { data } = await update(site.siteId, settings)
  const { revision } = (await admin.client.spaces.getSpaceById(space.data.id)).data
  return { ...site, spaceId: space.data.id, revisionId: revision, address: data.urls.published ?? '' }
}

async function aSharedSite(): Promise<OpenSite> {
  const site = await anOpenSite({ visibility: 'share-link' })
  const { items } = (await orgs().listSiteShareLinks(organizationId, site.siteId)).data
  return { ...site, address: items[0]?.urls.published ?? '' }
}

/** A site that visitors log in to, and a login for it. */
async function aClosedSite(): Promise<{ site: OpenSite; login: string }> {
  const site = await anOpenSite({ visibility: 'visitor-auth' })
  const { privateKey } = (await orgs().getSitePublishingAuthById(organizationId, site.siteId)).data
  const key = new TextEncoder().encode(privateKey)
  const login = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h').sign(key)
  return { site, login }
}

const lookUp = (url: string, jwtToken?: string) =>
  sendRaw(stack.url, undefined, {
    method: 'POST',
    path: '/urls/published',
    body: { url, ...(jwtToken !== undefined && { visitor: { jwtToken } }) },
  })

async function tokenOf(url: string, jwtToken?: string): Promise<string> {
  const { status, body } = await lookUp(url, jwtToken)
  expect(schemas.validateReply('resolvePublishedContentByUrl', status, body)).toEqual([])
  return (body as { apiToken: string }).apiToken
}

const rows: [string, Operation][] = Object.values(api).flatMap(operations => Object.entries(operations))
const forVisitors = rows.filter(([, { access }]) => access?.callers?.includes('visitor'))

/** The statuses with which both gateways answer a token: one of each, or those of the operations that differ. */
async function statusesOf(token: string, { spaceId, siteId, revisionId }: OpenSite): Promise<unknown> {
  const ids = { organizationId, spaceId, siteId, revisionId } as Record<string, string>
  const statuses: Record<string, number[]> = {}
  for (const [id, row] of forVisitors) {
    const { method, path } = routeOf(row) as { method: string; path: string }
    const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? 'nothing')
    const replies = [stack.url, second.url].map(url => sendRaw(url, { token }, { method, path: filled }))
    statuses[id] = (await Promise.all(replies)).map(({ status }) => status)
  }
  return statuses
}

const refused = Object.fromEntries(forVisitors.map(([id]) => [id, [401, 401]]))
const readable = { getSpaceById: [200, 200], getRevisionById: [200, 200], getPublishedContentSite: [200, 200] }

const link = ({ siteId, shareLinkId }: OpenSite) => [organizationId, siteId, shareLinkId] as const
const condition = 'visitor.claims.beta == true'

async function hideSpaces({ siteId }: OpenSite): Promise<void> {
  const { items } = (await orgs().listSiteSpaces(organizationId, siteId)).data
  for (const { id } of items) await orgs().updateSiteSpaceById(organizationId, siteId, id, { condition })
}

async function hideSections({ siteId }: OpenSite): Promise<void> {
  const { items } = (await orgs().listSiteSections(organizationId, siteId)).data
  for (const { id } of items) await orgs().updateSiteSectionById(organizationId, siteId, id, { condition })
}

describe('a token ends at once, for every operation and at both gateways, when', () => {
  it.each<[string, () => Promise<OpenSite>, (site: OpenSite) => Promise<unknown>]>([
    ['its site is unpublished', anOpenSite, ({ siteId }) => orgs().unpublishSite(organizationId, siteId)],
    ['its site is deleted', anOpenSite, ({ siteId }) => orgs().deleteSiteById(organizationId, siteId)],
    ['its site is shared by links', anOpenSite, ({ siteId }) => update(siteId, { visibility: 'share-link' })],
    ['its site needs a login', anOpenSite, ({ siteId }) => update(siteId, { visibility: 'visitor-auth' })],
    ['its site is opened to all', aSharedSite, ({ siteId }) => update(siteId, { visibility: 'public' })],
    ['its link is revoked', aSharedSite, site => orgs().updateSiteShareLinkById(...link(site), { active: false })],
    ['its link is deleted', aSharedSite, site => orgs().deleteSiteShareLinkById(...link(site))],
    ['agents are excluded', anOpenSite, ({ siteId }) => update(siteId, { agentsContext: 'excluded' })],
    ['claims count', anOpenSite, ({ siteId }) => update(siteId, { adaptiveContent: { enabled: true } })],
    [
      'other claims count',
      anOpenSite,
      ({ siteId }) =>
        orgs().updateSiteAdaptiveSchema(organizationId, siteId, { jsonSchema: anAdaptiveSchema as never }),
    ],
    ['conditions hide a space wherever the site shows it', anOpenSite, hideSpaces],
    ['conditions hide all sections', anOpenSite, hideSections],
  ])('%s', async (_case, open, close) => {
    const site = await open()
    const token = await tokenOf(site.address)
    expect(await statusesOf(token, site)).toMatchObject(readable)
    await close(site)
    expect(await statusesOf(token, site)).toEqual(refused)
  })

  it('a key is revoked, with the logins that it signed', async () => {
    const { site, login } = await aClosedSite()
    const token = await tokenOf(site.address, login)
    expect(await statusesOf(token, site)).toMatchObject(readable)
    await sendOk(stack, admin, {
      method: 'POST',
      body: { revoke: true },
      path: `/orgs/${organizationId}/sites/${site.siteId}/publishing/auth/regenerate`,
    })
    expect(await statusesOf(token, site)).toEqual(refused)
    expect(await lookUp(site.address, login)).toMatchObject({
      status: 403,
      body: { error: { message: 'The login is not valid' } },
    })
  })
})

it('members log in with the claims of a ping, to sites of that organization; guests do not', async () => {
  const { site } = await aClosedSite()
  const organization = { id: organizationId, admin }
  const ping = async (of: string, who: Person) =>
    (await who.client.orgs.updateOrganizationMemberLastSeenAt(of)).data.gitbookVisitorClaims ?? ''
  const member = await aMember(stack, organization, 'read')
  const token = await tokenOf(site.address, await ping(organizationId, member))
  expect(await statusesOf(token, site)).toMatchObject(readable)
  const other = await anOrganization(stack)
  const guest = await aMember(stack, organization, null)
  for (const login of [await ping(other.id, other.admin), await ping(organizationId, guest)])
    expect((await lookUp(site.address, login)).status).toBe(403)
})

describe('a token stays valid until its window ends when', () => {
  it.each<[string, (site: OpenSite) => Promise<unknown>]>([
    [
      'its site gets another name',
      ({ siteId }) => update(siteId, { title: 'Renamed', basename: `of-${siteId.toLowerCase()}` }),
    ],
    ['a link is created', ({ siteId }) => orgs().createSiteShareLink(organizationId, siteId, { name: 'More' })],
  ])('%s', async (_case, change) => {
    const site = await anOpenSite()
    const token = await tokenOf(site.address)
    await change(site)
    expect(await statusesOf(token, site)).toMatchObject(readable)
  })

  it('a key is replaced; the logins that it signed count, too, until login servers have the new one', async () => {
    const { site, login } = await aClosedSite()
    const token = await tokenOf(site.address, login)
    await orgs().regenerateSitePublishingAuthById(organizationId, site.siteId)
    expect(await statusesOf(token, site)).toMatchObject(readable)
    expect((await lookUp(site.address, login)).status).toBe(200)
  })
})
