import { contentEvents } from '@recto/contracts-content-bus'
import { openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aPublisher, type Publisher } from '../test/a-publisher.ts'
import { organization, type PublishingSetup } from '../test/publishing-setup.ts'
import { aPurgeSetup, aSite, stoppedAfterEach, type PurgeSetup } from '../test/purge-setup.ts'
import { aReader, type TestReader } from '../test/a-reader.ts'
import { openReaders } from './purges.repository.ts'
import { ReaderEntity } from './reader.entity.ts'
import { ReaderPurgeEntity } from './reader-purge.entity.ts'

const secret = 'secret of the reader'
const times = { every: 50, timeout: 300, first: 20, longest: 60 }

const aSetup = (environment: Record<string, string>, changed: Partial<typeof times & { giveUp: number }> = {}) =>
  aPurgeSetup(environment, { purgeTimes: { ...times, ...changed } })

const until = stoppedAfterEach()

const withReaders = (...readers: TestReader[]) => ({
  READER_URL: readers.map(({ url }) => `${url}/`).join(', '),
  READER_SECRET: secret,
})
const tagsOf = (reader: TestReader) => reader.purged.flat()
const waiting = (publishing: PublishingSetup) => publishing.service.db.count(ReaderPurgeEntity)
const settled = (publishing: PublishingSetup) => eventually(async () => expect(await waiting(publishing)).toBe(0))

describe('a change', () => {
  let reader: TestReader
  let publishing: PurgeSetup
  let content: Publisher
  beforeAll(async () => {
    reader = await aReader(secret)
    publishing = await aSetup(withReaders(reader))
    content = await aPublisher(publishing.natsUrlFor('content'))
  })
  afterAll(async () => {
    await content.stop()
    await publishing.stop()
    await reader.stop()
  })
  const since = async (change: () => Promise<unknown>) => {
    await settled(publishing)
    reader.purged.length = 0
    await change()
    await eventually(async () => expect(reader.purged.length).toBeGreaterThan(0))
    await settled(publishing)
    return reader.purged
  }

  it('of a site purges the site', async () => {
    const { params, tag, rename } = await aSite(publishing)
    const client = publishing.as('admin')
    const { items } = await client.listSiteSpaces({ params })
    const destination = { kind: 'site-space' as const, siteSpaceId: items[0]?.id ?? '' }
    const changes = [
      () => rename('Other'),
      () => client.publishSite({ params }),
      () => client.addSpaceToSite({ params, body: { spaceId: publishing.content.aSpace('Api') } }),
      () => client.createSiteRedirect({ params, body: { source: '/old', destination } }),
      () => client.createSiteShareLink({ params, body: { name: 'Friends' } }),
      () => client.deleteSiteById({ params }),
    ]
    for (const change of changes) expect(await since(change)).toEqual([[tag]])
  })

  it('of an OpenAPI specification purges it', async () => {
    const specs = await aPublisher(publishing.natsUrlFor('openapi-specs'), 'openapi-specs')
    const spec = { organization, spec: 's', slug: 'toys' }
    const changes = [
      () => specs.publish(tx => tx.publish(openApiSpecEvents.versionAdded, { ...spec, version: 'v' })),
      () => specs.publish(tx => tx.publish(openApiSpecEvents.specDeleted, spec)),
    ]
    for (const change of changes) expect(await since(change)).toEqual([[`organization:${organization}:openapi:toys`]])
    await specs.stop()
  })

  it('of the main content or the settings of a space purges it and the sites that show it, and no other space', async () => {
    const { space, tag } = await aSite(publishing)
    const other = publishing.content.aSpace('On no site')
    const at = new Date().toISOString()
    const changes = [
      () => content.publish(tx => tx.publish(contentEvents.mainContentChanged, { space, from: 'a', to: 'b' })),
      () =>
        content.publish(tx => tx.publish(contentEvents.spaceUpdated, { organization, by: 'u', at, space, fields: [] })),
    ]
    for (const change of changes) expect(await since(change)).toEqual([[`space:${space}`, tag].sort()])
    await content.publish(tx => tx.publish(contentEvents.mainContentChanged, { space: other, from: 'a', to: 'b' }))
    await content.allAcknowledged()
    expect(await waiting(publishing)).toBe(0)
  })

  it('of many sites, a hundred times while the reader is slow, makes one request', async () => {
    const sites = await Promise.all(Array.from({ length: 10 }, () => aSite(publishing)))
    await settled(publishing)
    reader.purged.length = 0
    reader.behave('hang')
    await Promise.all(sites.flatMap(({ rename }) => Array.from({ length: 10 }, (_, at) => rename(`Title ${at}`))))
    reader.behave('purge')
    await settled(publishing)
    expect(reader.purged.map(tags => tags.toSorted())).toEqual([sites.map(({ tag }) => tag).toSorted()])
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

  it('is a number of requests and of tags in the metrics', async () => {
    const { body } = await publishing.metrics.text()
    expect(body).toMatch(/operations_total\{operation="purgeReader",service="publishing"\} [1-9]/)
    expect(body).toContain('queue_depth{queue="reader.purges",service="publishing"} 0')
  })
})

it('two replicas purge once', async () => {
  const reader = until(await aReader(secret))
  const publishing = until(await aSetup(withReaders(reader)))
  await publishing.startReplica()
  for (let turn = 0; turn < 5; turn += 1) {
    const { tag } = await aSite(publishing)
    await settled(publishing)
    expect(tagsOf(reader).filter(purged => purged === tag)).toEqual([tag])
  }
})

it('every reader purges, and one that is away does not delay the others', async () => {
  const one = until(await aReader(secret))
  const other = until(await aReader(secret))
  const publishing = until(await aSetup(withReaders(one, other)))
  await other.stop()
  const { tag, rename } = await aSite(publishing)
  await eventually(async () => expect(tagsOf(one)).toContain(tag))
  await rename('Again')
  await eventually(async () => expect(tagsOf(one).filter(purged => purged === tag).length).toBe(2))
  expect(await waiting(publishing)).toBe(1)
  await other.start()
  await settled(publishing)
  expect([tagsOf(one).length, tagsOf(other)]).toEqual([2, [tag]])
})

describe('a fault', () => {
  it('of the service between the change and the purge loses nothing', async () => {
    const reader = until(await aReader(secret))
    const publishing = until(await aSetup({}))
    const { tag } = await aSite(publishing)
    expect([await waiting(publishing), reader.purged]).toEqual([1, []])
    await publishing.service.stop()
    await publishing.startReplica(withReaders(reader))
    await eventually(async () => expect(tagsOf(reader)).toEqual([tag]))
  })

  it('of the service during a request repeats the request', async () => {
    const reader = until(await aReader(secret))
    reader.behave('hang')
    const publishing = until(await aSetup(withReaders(reader), { timeout: 60_000 }))
    const { tag } = await aSite(publishing)
    await eventually(async () => expect(reader.others).toEqual(['hang']))
    await publishing.service.stop()
    reader.behave('purge')
    await publishing.startReplica()
    await eventually(async () => expect(tagsOf(reader)).toEqual([tag]))
  })

  it('of a replica that ends while it asks the reader delays the next one only', async () => {
    const reader = until(await aReader(secret))
    const publishing = until(await aSetup(withReaders(reader)))
    const { db } = publishing.service
    await openReaders(db, [reader.url])
    await db.update(ReaderEntity, { url: reader.url }, { nextAttemptAt: new Date(Date.now() + 2 * times.timeout) })
    const { tag } = await aSite(publishing)
    await settled(publishing)
    expect(tagsOf(reader)).toEqual([tag])
  })

  it('of the reader, which is away, is over when it is back', async () => {
    const reader = until(await aReader(secret))
    const publishing = until(await aSetup(withReaders(reader)))
    await reader.stop()
    const { tag } = await aSite(publishing)
    const warned = () => publishing.logged.filter(({ message }) => message.includes('cannot be reached')).length
    await eventually(async () => expect(warned()).toBeGreaterThan(2))
    await reader.start()
    await settled(publishing)
    expect(tagsOf(reader)).toEqual([tag])
  })

  it.each<['hang' | number, string]>([
    ['hang', 'cannot be reached'],
    [500, 'the reader failed'],
    [503, 'the reader failed'],
  ])('of the reader, %s, is over when it answers', async (how, message) => {
    const reader = until(await aReader(secret))
    const publishing = until(await aSetup(withReaders(reader)))
    reader.behave(how)
    const { tag } = await aSite(publishing)
    await eventually(async () => expect(reader.others.length).toBeGreaterThan(1))
    await eventually(async () => expect(publishing.logged.map(one => one.message).join()).toContain(message))
    reader.behave('purge')
    await settled(publishing)
    expect(tagsOf(reader)).toEqual([tag])
  })

  it('of who runs it, a wrong secret, is an error that says so, and never the secret', async () => {
    const reader = until(await aReader('another secret'))
    const publishing = until(await aSetup(withReaders(reader)))
    await aSite(publishing)
    const isLogged = { level: 'error', message: expect.stringContaining('its secret is not READER_SECRET') }
    await eventually(async () => expect(publishing.logged).toContainEqual(expect.objectContaining(isLogged)))
    expect(JSON.stringify(publishing.logged)).not.toContain(secret)
    expect([reader.others[0], await waiting(publishing)]).toEqual([401, 1])
    expect((await publishing.metrics.text()).body).toContain('operation="purgeReader",code="refused"')
  })

  it('that lasts ends with an error', async () => {
    const reader = until(await aReader(secret))
    reader.behave(500)
    const publishing = until(await aSetup(withReaders(reader), { giveUp: 500 }))
    const { tag } = await aSite(publishing)
    await settled(publishing)
    const host = new URL(reader.url).host
    const isLogged = { level: 'error', details: { reader: host, tags: [tag], count: 1 } }
    // Said after the row is gone.
    await eventually(async () => expect(publishing.logged).toContainEqual(expect.objectContaining(isLogged)))
    expect((await publishing.metrics.text()).body).toContain('operation="purgeReader",code="gave_up"')
  })
})

it('what changes during a request is purged again', async () => {
  const reader = until(await aReader(secret))
  const publishing = until(await aSetup(withReaders(reader), { timeout: 2_000 }))
  reader.behave('hang')
  const { tag, rename } = await aSite(publishing)
  await eventually(async () => expect(reader.others).toEqual(['hang']))
  await rename('Meanwhile')
  reader.behave('purge')
  await settled(publishing)
  expect(tagsOf(reader)).toEqual([tag])
})
