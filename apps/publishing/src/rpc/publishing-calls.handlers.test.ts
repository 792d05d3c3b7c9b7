import { busClient, connectBus } from '@recto/bus'
import { calls } from '@recto/contracts'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

it('checks whether an organization has a site', async () => {
  const gateway = await connectBus({ url: publishing.natsUrlFor('identity'), service: 'identity' })
  const { findSite } = busClient(gateway, calls.publishing, { service: 'publishing' })
  const { id: site } = await publishing
    .as('create')
    .createSite({ params: { organizationId: organization }, body: { spaces: [publishing.content.aSpace('Manual')] } })
  const ask = async (of: string, id: string) => (await findSite({ body: { organization: of, site: id } })).exists
  expect([await ask(organization, site), await ask('another', site), await ask(organization, 'nothing')]).toEqual([
    ...[true, false, false],
  ])
  await gateway.drain()
})

it('finds the site of a share link: an active one, of the organization, to a site that shows the space', async () => {
  const contentBus = busClient(publishing.contentBus, calls.publishing, { service: 'publishing' })
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
  const [one, other] = [await aSite('One'), await aSite('Other')]
  const find = async (asked: { key: string; space?: string; organization?: string; site?: string }) =>
    (await contentBus.findShareLink({ body: { organization, space: one.space, ...asked } })).site
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
  for (const asked of none) expect([asked, await find(asked)]).toEqual([asked, undefined])
  const params = { ...one.params, shareLinkId: one.link }
  await client.updateSiteShareLinkById({ params, body: { active: false } })
  await eventually(async () => expect(await find({ key })).toBeUndefined())
})

it('lists the sites whose tokens ended: unpublished, with a revoked link, deleted', async () => {
  const gateway = busClient(publishing.gateway, calls.publishing, { service: 'publishing' })
  const client = publishing.as('admin')
  const closed = async (id: string) => {
    const { sites } = await gateway.listClosedSites({ body: {} })
    return sites.find(({ site }) => site === id)?.closedVersion ?? 0
  }
  const space = publishing.content.aSpace('Manual')
  const site = await client.createSite({ params: { organizationId: organization }, body: { spaces: [space] } })
  const params = { organizationId: organization, siteId: site.id }
  await client.publishSite({ params })
  const opened = await closed(site.id)
  const link = await client.createSiteShareLink({ params, body: { name: 'Friends' } })
  expect(await closed(site.id)).toBe(opened)
  const versions = [opened]
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
