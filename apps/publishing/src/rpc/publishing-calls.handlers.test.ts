import { busClient, connectBus } from '@recto/bus'
import { calls } from '@recto/contracts'
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
