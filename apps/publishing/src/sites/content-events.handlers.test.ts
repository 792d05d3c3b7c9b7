import { lifecycleEvents } from '@recto/contracts-content-bus'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aPublisher, type Publisher } from '../test/a-publisher.ts'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

let publishing: PublishingSetup
let content: Publisher
beforeAll(async () => {
  publishing = await aPublishing()
  content = await aPublisher(publishing.natsUrlFor('content'))
})
afterAll(async () => {
  await content.stop()
  await publishing.stop()
})

const at = new Date().toISOString()

async function aSite(spaces: string[]) {
  const { id } = await publishing
    .as('create')
    .createSite({ params: { organizationId: organization }, body: { spaces } })
  const params = { organizationId: organization, siteId: id }
  const spaceCount = async () => (await publishing.as('create').getSiteById({ params })).siteSpaces
  return { params, spaceCount }
}

it('a purged space leaves the sites that showed it', async () => {
  const gone = publishing.content.aSpace('Gone')
  const remainingSpace = publishing.content.aSpace('Kept')
  const one = await aSite([gone, remainingSpace])
  const other = await aSite([remainingSpace])
  await content.publish(tx => tx.publish(lifecycleEvents.spacePurged, { organization, space: gone, at }))
  await content.allAcknowledged()
  expect([await one.spaceCount(), await other.spaceCount()]).toEqual([1, 1])
  const { items } = await publishing.as('create').listSiteSpaces({ params: one.params })
  expect(items).toMatchObject([{ default: true, space: { id: remainingSpace } }])
})

it('a space that was transferred to another organization leaves the sites of the one before, and no others', async () => {
  const space = publishing.content.aSpace('Moved')
  const inCollection = publishing.content.aSpace('With it')
  const site = await aSite([space, inCollection])
  const changed = { by: 'somebody', at, from: organization }
  await content.publish(async tx => {
    await tx.publish(lifecycleEvents.spaceTransferred, { ...changed, organization, from: 'another', space })
    await tx.publish(lifecycleEvents.collectionTransferred, {
      ...changed,
      organization: 'another',
      collection: 'c',
      spaces: [inCollection],
    })
  })
  await content.allAcknowledged()
  expect(await site.spaceCount()).toBe(1)
  await content.publish(tx =>
    tx.publish(lifecycleEvents.spaceTransferred, { ...changed, organization: 'another', space }),
  )
  await content.allAcknowledged()
  expect(await site.spaceCount()).toBe(0)
})
