import { busClient, connectBus } from '@recto/bus'
import { publishingRpc } from '@recto/contracts-publishing-bus'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { DeletedSiteEntity } from './deleted-site.entity.ts'
import { deletedSitesCleanup } from './deleted-sites.ts'
import type { Role } from '@recto/actor'
import { setRole } from '../site-access/site-grants.repository.ts'
import { SiteEntity } from './site.entity.ts'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

it('checks whether an organization has a site', async () => {
  const gateway = await connectBus({ url: publishing.natsUrlFor('identity'), service: 'identity' })
  const { findSite } = busClient(gateway, publishingRpc, { service: 'publishing' })
  const { id: site } = await publishing
    .as('create')
    .createSite({ params: { organizationId: organization }, body: { spaces: [publishing.content.aSpace('Manual')] } })
  const ask = async (of: string, id: string) => (await findSite({ body: { organization: of, site: id } })).exists
  expect([await ask(organization, site), await ask('another', site), await ask(organization, 'nothing')]).toEqual([
    true,
    false,
    false,
  ])
  await gateway.drain()
})

it('creates the site that a new organization starts with, for its admin alone', async () => {
  const identity = await connectBus({ url: publishing.natsUrlFor('identity'), service: 'identity' })
  const { createDefaultSite } = busClient(identity, publishingRpc, { service: 'publishing' })
  const create = (role: 'admin' | 'read') => {
    const memberships = [{ organization, role, teams: [] }]
    const actor = { userId: 'a-user', platformAdmin: false, scopes: [], memberships }
    const visibility = 'share-link' as const
    return createDefaultSite({ body: { actor, organization, title: 'Our docs', sample: true, visibility } })
  }
  const { site: siteId } = await create('admin')
  const site = await publishing.as('admin').getSiteById({ params: { organizationId: organization, siteId } })
  expect(site).toMatchObject({ title: 'Our docs', visibility: 'share-link', published: false, siteSpaces: 1 })
  await expect(create('read')).rejects.toMatchObject({ code: 'forbidden' })
  await identity.drain()
})

it('counts the sites that members see, among those that the viewer sees', async () => {
  const bus = await connectBus({ url: publishing.natsUrlFor('identity'), service: 'identity' })
  const { countSites } = busClient(bus, publishingRpc, { service: 'publishing' })
  const client = publishing.as('admin')
  const counts = async (role: Role, user: string) =>
    (await countSites({ body: { organization, viewer: { user, role, teams: [] }, members } })).members
  const members = [
    { user: 'member', role: 'read' as const, teams: ['team'] },
    { user: 'outside', role: 'read' as const, teams: [] },
    { user: 'guest', role: null, teams: ['team'] },
  ]
  const { member: seen = 0 } = await counts('admin', 'boss')
  const { id } = await client.createSite({ params: { organizationId: organization } })
  const params = { organizationId: organization, siteId: id }
  expect(await counts('admin', 'boss')).toEqual({ member: seen + 1, outside: seen + 1, guest: 0 })
  const { db } = publishing.service
  await db.update(SiteEntity, { id }, { defaultLevel: null })
  const grant = { siteId: id, organizationId: organization, role: 'read' as const, createdAt: new Date() }
  await setRole(db, grant, [{ subject: 'team', subjectId: 'team' }])
  expect(await counts('admin', 'boss')).toEqual({ member: seen + 1, outside: seen, guest: 1 })
  expect(await counts('read', 'somebody')).toEqual({ member: seen, outside: seen, guest: 0 })
  await client.deleteSiteById({ params })
  await bus.drain()
})

it('finds the site of a share link: an active one, of the organization, to a site that shows the space', async () => {
  const contentBus = busClient(publishing.contentBus, publishingRpc, { service: 'publishing' })
  const client = publishing.as('admin')
  const aSite = async (title: string) => {
    const space = publishing.content.aSpace(title)
    const { id } = await client.createSite({ params: { organizationId: organization }, body: { spaces: [space] } })
    const params = { organizationId: organization, siteId: id }
    await client.publishSite({ params })
    const link = await client.createSiteShareLink({ params, body: { name: 'Friends' } })
    const key = new URL(link.urls.published ?? '').pathname.split('/')[1] ?? ''
    return { space, id, key, params, link: link.id }
  }
  const one = await aSite('One')
  const other = await aSite('Other')
  const find = async (body: { key: string; space?: string; organization?: string; site?: string }) =>
    (await contentBus.findShareLink({ body: { organization, space: one.space, ...body } })).site
  const { key } = one
  await eventually(async () => expect(await find({ key })).toBe(one.id))
  expect(await find({ key, site: one.id })).toBe(one.id)
  const none = [
    { key: 'wrong' },
    { key, space: other.space },
    { key, site: other.id },
    { key, organization: 'another' },
    { key: other.key },
    { key: other.key, site: one.id },
  ]
  for (const body of none) expect([body, await find(body)]).toEqual([body, undefined])
  const params = { ...one.params, shareLinkId: one.link }
  await client.updateSiteShareLinkById({ params, body: { active: false } })
  await eventually(async () => expect(await find({ key })).toBeUndefined())
})

it('lists the sites whose tokens ended: unpublished, with a revoked link, deleted', async () => {
  const gateway = busClient(publishing.gateway, publishingRpc, { service: 'publishing' })
  const client = publishing.as('admin')
  const closed = async (id: string) => {
    const { sites } = await gateway.listClosedSites({ body: {} })
    return sites.find(({ site }) => site === id)?.closedVersion ?? 0
  }
  const space = publishing.content.aSpace('Manual')
  const site = await client.createSite({ params: { organizationId: organization }, body: { spaces: [space] } })
  const params = { organizationId: organization, siteId: site.id }
  await client.publishSite({ params })
  const closing = await closed(site.id)
  const link = await client.createSiteShareLink({ params, body: { name: 'Friends' } })
  expect(await closed(site.id)).toBe(closing)
  const versions = [closing]
  await client.updateSiteShareLinkById({ params: { ...params, shareLinkId: link.id }, body: { active: false } })
  versions.push(await closed(site.id))
  await client.updateSiteById({ params, body: { visibility: 'visitor-auth' } })
  versions.push(await closed(site.id))
  await client.unpublishSite({ params })
  versions.push(await closed(site.id))
  await client.deleteSiteById({ params })
  versions.push(await closed(site.id))
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
})

describe('closings are listed', () => {
  const hour = 3_600_000
  const listed = async (id: string, withinMs?: number) => {
    const gateway = busClient(publishing.gateway, publishingRpc, { service: 'publishing' })
    const { sites } = await gateway.listClosedSites({ body: withinMs === undefined ? {} : { withinMs } })
    return sites.some(({ site }) => site === id)
  }

  async function aSiteClosed(ago: number): Promise<{ id: string; at: Date }> {
    const spaces = [publishing.content.aSpace('Manual')]
    const params = { organizationId: organization, siteId: '' }
    const { id } = await publishing.as('admin').createSite({ params, body: { spaces } })
    await publishing.as('admin').publishSite({ params: { ...params, siteId: id } })
    await publishing.as('admin').unpublishSite({ params: { ...params, siteId: id } })
    const at = new Date(Date.now() - ago)
    await publishing.service.db.update(SiteEntity, { id }, { closedAt: at })
    return { id, at }
  }

  async function aSiteDeleted(ago: number): Promise<{ id: string; at: Date }> {
    const site = { id: `deleted-${ago}`, at: new Date(Date.now() - ago) }
    await publishing.service.db.insert(DeletedSiteEntity, { siteId: site.id, closedVersion: 7, closedAt: site.at })
    return site
  }

  it.each([
    ['of a site', aSiteClosed],
    ['of a deleted site', aSiteDeleted],
  ])(
    '%s for as long as a download may live, and of the last minutes only to who asks for those',
    async (_of, close) => {
      const { id } = await close(25 * hour)
      await deletedSitesCleanup(publishing.service.db).run(new AbortController().signal)
      expect([await listed(id), await listed(id, 15 * 60_000), await listed(id, 1_000 * hour)]).toEqual([
        true,
        false,
        true,
      ])
      const { id: old } = await close(27 * hour)
      expect([await listed(old), await listed(old, 1_000 * hour)]).toEqual([false, false])
    },
  )

  it('without the sites that are new and have closed nothing', async () => {
    const body = { spaces: [publishing.content.aSpace('Manual')] }
    const { id } = await publishing.as('admin').createSite({ params: { organizationId: organization }, body })
    expect(await listed(id)).toBe(false)
  })
})

describe('the addresses of spaces', () => {
  const find = async (spaces: string[], visitor?: { site: string; claims: Record<string, unknown> }) => {
    const content = busClient(publishing.contentBus, publishingRpc, { service: 'publishing' })
    const { addresses } = await content.findAddresses({ body: { spaces, ...(visitor && { visitor }) } })
    return Object.fromEntries(addresses.map(({ space, url }) => [space, url]))
  }

  async function aSite(titles: string[], settings: object = {}) {
    const spaces = titles.map(title => publishing.content.aSpace(title))
    const client = publishing.as('admin')
    const site = await client.createSite({ params: { organizationId: organization }, body: { spaces } })
    const params = { organizationId: organization, siteId: site.id }
    await client.publishSite({ params })
    const { basename } = await client.updateSiteById({ params, body: settings })
    return { client, params, spaces, id: site.id, root: `https://${basename}.docs.test/` }
  }

  it('are on public sites alone, and nowhere for what is not published', async () => {
    const open = await aSite(['Open'])
    const [space = ''] = open.spaces
    await eventually(async () => expect(await find([space, 'nothing'])).toEqual({ [space]: open.root }))
    for (const visibility of ['unlisted', 'share-link', 'visitor-auth'] as const) {
      await open.client.updateSiteById({ params: open.params, body: { visibility } })
      await eventually(async () => expect([visibility, await find([space])]).toEqual([visibility, {}]))
    }
    await open.client.updateSiteById({ params: open.params, body: { visibility: 'public' } })
    await eventually(async () => expect(await find([space])).toEqual({ [space]: open.root }))
    await open.client.unpublishSite({ params: open.params })
    await eventually(async () => expect(await find([space])).toEqual({}))
  })

  it('are those of the site of a visitor, where it shows them the space', async () => {
    const condition = 'visitor.claims.beta'
    const own = await aSite(['Manual', 'Beta'], { adaptiveContent: { enabled: true } })
    const [manual = '', beta = ''] = own.spaces
    const { items } = await own.client.listSiteSpaces({ params: own.params, query: {} as never })
    const siteSpaceId = items.find(({ space }) => space.id === beta)?.id ?? ''
    await own.client.updateSiteSpaceById({ params: { ...own.params, siteSpaceId }, body: { condition, path: 'beta' } })
    const as = (claims: Record<string, unknown>) => find([manual, beta], { site: own.id, claims })
    const all = { [manual]: own.root, [beta]: `${own.root}beta/` }
    await eventually(async () => expect(await as({ beta: true })).toEqual(all))
    expect(await as({})).toEqual({ [manual]: own.root })
    expect(await find([manual, beta])).toEqual({ [manual]: own.root })
    await own.client.updateSiteById({ params: own.params, body: { visibility: 'visitor-auth' } })
    await eventually(async () => expect(await find([manual, beta])).toEqual({}))
    expect(await as({ beta: true })).toEqual(all)
  })
})
