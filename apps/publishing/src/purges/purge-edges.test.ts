import { contentEvents } from '@recto/contracts-content-bus'
import { defaultCustomization } from '@recto/contracts-publishing'
import { openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aPublisher, type Publisher } from '../test/a-publisher.ts'
import { aReader } from '../test/a-reader.ts'
import { anEdge, edgeSecrets, type TestEdge } from '../test/an-edge.ts'
import { organization, type PublishingSetup } from '../test/publishing-setup.ts'
import { aPurgeSetup, aSite, stoppedAfterEach, type PurgeSetup } from '../test/purge-setup.ts'
import { EdgePurgeEntity } from './edge-purge.entity.ts'

const times = { every: 50, between: 10, timeout: 500, first: 20, longest: 60, pauses: [] as number[] }

async function aSetup(environment: Record<string, string>, changed: Partial<typeof times> = {}): Promise<PurgeSetup> {
  const publishing = await aPurgeSetup(environment, { edgePurgeTimes: { ...times, ...changed } })
  // The rows of edges are there from now on: what changes before is not purged at an edge that is new.
  await eventually(async () => expect(await publishing.service.db.query('select id from edges')).not.toEqual([]))
  return publishing
}

const until = stoppedAfterEach()

const waiting = (publishing: PublishingSetup) => publishing.service.db.count(EdgePurgeEntity)
const settled = (publishing: PublishingSetup) => eventually(async () => expect(await waiting(publishing)).toBe(0))

describe('a change', () => {
  let edge: TestEdge
  let publishing: PurgeSetup
  let content: Publisher
  beforeAll(async () => {
    edge = await anEdge('webhook')
    publishing = await aSetup(edge.settings)
    content = await aPublisher(publishing.natsUrlFor('content'))
  })
  afterAll(async () => {
    await content.stop()
    await publishing.stop()
    await edge.stop()
  })
  const since = async (change: () => Promise<unknown>) => {
    await settled(publishing)
    edge.purged.length = 0
    await change()
    await eventually(async () => expect(edge.purged.length).toBeGreaterThan(0))
    await settled(publishing)
    return [...new Set(edge.purged.flat())].toSorted()
  }

  it('of a site, what it shows, how it looks and to whom, purges the site', async () => {
    const { params, space, tag } = await aSite(publishing)
    const client = publishing.as('admin')
    const link = await client.createSiteShareLink({ params, body: { name: 'Friends' } })
    const linkParams = { ...params, shareLinkId: link.id }
    const added = publishing.content.aSpace('Api')
    const idOf = async (spaceId: string) =>
      (await client.listSiteSpaces({ params })).items.find(one => one.space.id === spaceId)?.id ?? ''
    const changes: Record<string, () => Promise<unknown>> = {
      publish: () => client.publishSite({ params }),
      customize: () =>
        client.updateSiteCustomizationById({ params, body: { ...defaultCustomization, title: 'Other' } as never }),
      'close by visibility': () => client.updateSiteById({ params, body: { visibility: 'share-link' } }),
      'open by visibility': () => client.updateSiteById({ params, body: { visibility: 'public' } }),
      'exclude agents': () => client.updateSiteById({ params, body: { agentsContext: 'excluded' } as never }),
      'revoke a link': () => client.updateSiteShareLinkById({ params: linkParams, body: { active: false } }),
      'delete a link': () => client.deleteSiteShareLinkById({ params: linkParams }),
      'add a space': () => client.addSpaceToSite({ params, body: { spaceId: added } }),
      'remove a space': async () =>
        client.deleteSiteSpaceById({ params: { ...params, siteSpaceId: await idOf(added) } }),
      redirect: async () => {
        const destination = { kind: 'site-space' as const, siteSpaceId: await idOf(space) }
        return client.createSiteRedirect({ params, body: { source: '/old', destination } })
      },
      unpublish: () => client.unpublishSite({ params }),
      delete: () => client.deleteSiteById({ params }),
    }
    for (const [name, change] of Object.entries(changes)) expect([name, await since(change)]).toEqual([name, [tag]])
  })

  it('of the main content of a space, as a merge is one, purges the space and its sites', async () => {
    const { space, tag } = await aSite(publishing)
    const merge = () =>
      content.publish(tx => tx.publish(contentEvents.mainContentChanged, { space, from: 'a', to: 'b' }))
    expect(await since(merge)).toEqual([tag, `space:${space}`].toSorted())
  })

  it('of an OpenAPI specification purges what shows any of its organization', async () => {
    const specs = await aPublisher(publishing.natsUrlFor('openapi-specs'), 'openapi-specs')
    const spec = { organization, spec: 's', slug: 'toys', version: 'v' }
    const tags = await since(() => specs.publish(tx => tx.publish(openApiSpecEvents.versionAdded, spec)))
    expect(tags).toEqual([`organization:${organization}`])
    await specs.stop()
  })

  it('that is rolled back purges nothing', async () => {
    const { params } = await aSite(publishing)
    await settled(publishing)
    const body = { title: 'Other', defaultSiteSpace: 'nothing' }
    await expect(publishing.as('create').updateSiteById({ params, body })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect(await waiting(publishing)).toBe(0)
  })

  it('of many sites, many times while the edge is slow, makes one request', async () => {
    const sites = await Promise.all(Array.from({ length: 10 }, () => aSite(publishing)))
    await settled(publishing)
    edge.purged.length = 0
    edge.behave('hang')
    await Promise.all(sites.flatMap(({ rename }) => Array.from({ length: 10 }, (_, at) => rename(`Title ${at}`))))
    edge.behave('purge')
    await settled(publishing)
    expect(edge.purged.map(tags => tags.toSorted())).toEqual([sites.map(({ tag }) => tag).toSorted()])
  })
})

describe.each(['varnish', 'fastly', 'cloudflare', 'webhook'] as const)('%s', kind => {
  it('is purged of each change in the form that it knows, as often as there are rounds', async () => {
    const edge = until(await anEdge(kind))
    const publishing = until(await aSetup(edge.settings, { pauses: [30, 60] }))
    const { tag } = await aSite(publishing)
    await settled(publishing)
    expect([edge.others, new Set(edge.purged.flat())]).toEqual([[], new Set([tag])])
    // On a busy machine an answer may come too late, and the purge is sent once more.
    expect(edge.purged.length).toBeGreaterThanOrEqual(3)
  })

  it('is purged of many tags in requests of no more than it takes', async () => {
    const edge = until(await anEdge(kind))
    const publishing = until(await aSetup(edge.settings))
    const tags = Array.from({ length: 600 }, (_, at) => `site:${String(at).padStart(20, '0')}`)
    await publishing.service.db.query(
      `insert into edge_purges select id, tag, 'g', now(), 0, date_trunc('milliseconds', now()) from edges, unnest($1::text[]) given (tag)`,
      [tags],
    )
    await settled(publishing)
    expect([edge.others, edge.purged.flat().toSorted()]).toEqual([[], tags])
  })

  it('that does not take its token is an error that names the setting, and never the token', async () => {
    const edge = until(await anEdge(kind))
    const [name = '', right = ''] = Object.entries(edge.settings).at(-1) ?? []
    const wrong = right.replace(/.$/, last => (last === 'A' ? 'B' : 'A'))
    const publishing = until(await aSetup({ ...edge.settings, [name]: wrong }))
    await aSite(publishing)
    const isLogged = { level: 'error', message: expect.stringContaining(`it does not take ${name}`) }
    await eventually(async () => expect(publishing.logged).toContainEqual(expect.objectContaining(isLogged)))
    expect(JSON.stringify(publishing.logged)).not.toContain(wrong)
    expect([edge.purged, await waiting(publishing)]).toEqual([[], 1])
    expect((await publishing.metrics.text()).body).toContain('operation="purgeEdge",code="refused"')
  })
})

describe('a fault', () => {
  it.each<'hang' | number>(['hang', 429, 500, 503])('of the edge, %s, is over when it answers', async how => {
    const edge = until(await anEdge('fastly'))
    const publishing = until(await aSetup(edge.settings))
    edge.behave(how)
    const { tag } = await aSite(publishing)
    await eventually(async () => expect(edge.others.length).toBeGreaterThan(1))
    expect((await publishing.metrics.text()).body).toMatch(
      /queue_oldest_seconds\{queue="edge.purges",service="publishing"\} (?!0$)/m,
    )
    edge.behave('purge')
    await settled(publishing)
    expect(edge.purged).toEqual([[tag]])
  })

  it('of one edge, which is away, delays neither readers nor another edge, and is over when it is back', async () => {
    const reader = until(await aReader('secret'))
    const one = until(await anEdge('varnish'))
    const other = until(await anEdge('cloudflare'))
    const readers = { READER_URL: reader.url, READER_SECRET: 'secret' }
    const publishing = until(await aSetup({ ...readers, ...one.settings, ...other.settings }))
    await other.stop()
    const { tag, rename } = await aSite(publishing)
    await eventually(async () => expect([one.purged.flat(), reader.purged.flat()]).toEqual([[tag], [tag]]))
    await rename('Again')
    await eventually(async () => expect(one.purged.flat()).toEqual([tag, tag]))
    await eventually(async () => expect(await waiting(publishing)).toBe(1))
    await other.start()
    await settled(publishing)
    expect(other.purged).toEqual([[tag]])
  })

  it('of the service between the change and the purge loses nothing', async () => {
    const edge = until(await anEdge('varnish'))
    edge.behave(503)
    const publishing = until(await aSetup(edge.settings))
    const { tag } = await aSite(publishing)
    await publishing.service.stop()
    edge.behave('purge')
    await publishing.startReplica()
    await eventually(async () => expect(edge.purged).toEqual([[tag]]))
  })

  it('of an edge that redirects hands its token to nobody', async () => {
    const edge = until(await anEdge('fastly'))
    edge.behave(302)
    const publishing = until(await aSetup(edge.settings))
    await aSite(publishing)
    const isLogged = { level: 'error', message: expect.stringContaining('EDGE_FASTLY_SERVICE leads to a redirect') }
    await eventually(async () => expect(publishing.logged).toContainEqual(expect.objectContaining(isLogged)))
    expect(JSON.stringify(publishing.logged)).not.toContain(edgeSecrets.fastly)
  })
})

it('what changes during a request is purged again', async () => {
  const edge = until(await anEdge('varnish'))
  const publishing = until(await aSetup(edge.settings, { timeout: 2_000 }))
  edge.behave('hang')
  const { tag, rename } = await aSite(publishing)
  await eventually(async () => expect(edge.others).toEqual(['hang']))
  await rename('Meanwhile')
  edge.behave('purge')
  await settled(publishing)
  expect(edge.purged).toEqual([[tag]])
})

it('two replicas purge once', async () => {
  const edge = until(await anEdge('varnish'))
  const publishing = until(await aSetup(edge.settings))
  await publishing.startReplica()
  for (let turn = 0; turn < 5; turn += 1) {
    const { tag } = await aSite(publishing)
    await settled(publishing)
    expect(edge.purged.flat().filter(purged => purged === tag)).toEqual([tag])
  }
})
