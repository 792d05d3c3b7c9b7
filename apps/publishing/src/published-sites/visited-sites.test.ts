import { connectBus, type Bus } from '@recto/bus'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'
import { createVisitedSites } from './visited-sites.ts'

const sitesUrl = 'https://{basename}.docs.test'
/** Only signals have a site read again. */
const lifetime = 3_600_000
const visited = createVisitedSites(sitesUrl, lifetime)

let publishing: PublishingSetup
let bus: Bus
beforeAll(async () => {
  publishing = await aPublishing()
  bus = await connectBus({ url: publishing.natsUrlFor('publishing'), service: 'publishing' })
  visited.follow(bus)
  await bus.connection.flush()
})
afterAll(async () => {
  await bus.drain()
  await publishing.stop()
})

const client = () => publishing.as('create')
const at = (host: string) => visited.atHost(publishing.service.db, host)

async function aSite() {
  const { id, basename } = await client().createSite({ params: { organizationId: organization } })
  return { params: { organizationId: organization, siteId: id }, host: `${basename}.docs.test` }
}

it('all prefixes of an address that are looked up at once read its site once, and later ones do not', async () => {
  const { host } = await aSite()
  // Without signals: that of the new site may come while it is read, which has it read again.
  const undisturbed = createVisitedSites(sitesUrl, lifetime)
  const read = () => undisturbed.atHost(publishing.service.db, host)
  const [first, ...others] = await Promise.all(Array.from({ length: 100 }, read))
  expect(first).toHaveLength(1)
  for (const site of [...others, await read()]) expect(site).toBe(first)
})

it('a change of a site has it read again, and no other site', async () => {
  const one = await aSite()
  const other = await aSite()
  const rename = (title: string) => client().updateSiteById({ params: one.params, body: { title } })
  // Events of this setup are never acknowledged, so their signals come again now and then: such a try is repeated.
  await eventually(async () => {
    const before = await at(one.host)
    const cachedSite = await at(other.host)
    const title = `Changed ${Date.now()}`
    await rename(title)
    await eventually(async () => {
      const now = await at(one.host)
      expect([now === before, now[0]?.site.title]).toEqual([false, title])
    })
    expect(await at(other.host)).toBe(cachedSite)
  })
})

it('a host without a site is looked up again when a site comes to it', async () => {
  const { params } = await aSite()
  expect(await at('docs.later.test')).toEqual([])
  await client().updateSiteById({ params, body: { hostname: 'docs.later.test' } })
  await eventually(async () => expect((await at('docs.later.test'))[0]?.site.id).toBe(params.siteId))
})

it('a host with a site is looked up again when another site comes to it', async () => {
  const one = await aSite()
  const other = await aSite()
  const idsThere = async () => (await at('both.test')).map(({ site }) => site.id).toSorted()
  await client().updateSiteById({ params: one.params, body: { proxy: 'both.test/one' } })
  await eventually(async () => expect(await idsThere()).toEqual([one.params.siteId]))
  await client().updateSiteById({ params: other.params, body: { proxy: 'both.test/other' } })
  await eventually(async () =>
    expect(await idsThere()).toEqual([one, other].map(site => site.params.siteId).toSorted()),
  )
})
