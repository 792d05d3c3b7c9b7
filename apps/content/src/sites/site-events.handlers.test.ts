import { busClient } from '@recto/bus'
import { publishingEvents } from '@recto/contracts-publishing-bus'
import { contentApi } from '@recto/contracts-content'
import { migrate, query, transact, type Transaction } from '@recto/database'
import { startDatabaseService, type RunningService } from '@recto/service'
import { createLog } from '@recto/telemetry'
import { aDatabase, eventually, type TestDatabase } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { contentDatabase } from '../database.ts'
import { mostPublic } from './publication.rules.ts'
import { aCollection, aContent, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
let database: TestDatabase
let publishing: RunningService
beforeAll(async () => {
  content = await aContent()
  database = await aDatabase({ template: 'content', migrate: async url => void (await migrate(contentDatabase(url))) })
  publishing = await startDatabaseService({
    name: 'publishing',
    natsUrl: content.natsUrlFor('publishing'),
    redeliverAfter: 0.5,
    secret: ['a secret of at least 32 characters'],
    database: contentDatabase(database.url, { poolSize: 3 }),
    log: createLog({ service: 'publishing', level: 'silent' }),
    api: { operations: {}, handlers: {} },
    build: () => ({ context: base => base }),
  })
})
afterAll(async () => {
  await publishing.stop()
  await database.drop()
  await content.stop()
})

async function publish(write: (tx: Transaction) => Promise<void>): Promise<void> {
  await transact(publishing.db, () => undefined, write)
  await eventually(async () =>
    expect(await query(publishing.db, 'select id from outbox where done_at is null')).toEqual([]),
  )
}

interface SiteChange {
  site: string
  version: number
  published?: boolean
  visibility?: 'public' | 'unlisted' | 'share-link' | 'visitor-auth'
  spaces: string[]
}

const show = ({ site, version, published = true, visibility = 'public', spaces }: SiteChange) =>
  publish(tx =>
    tx.publish(publishingEvents.siteChanged, {
      organization,
      site,
      version,
      closedVersion: 0,
      published,
      visibility,
      address: '',
      hosts: [],
      spaces: spaces.map(space => ({ space, url: `https://${site}.docs.test/${space}/` })),
    }),
  )
const read = async (spaceId: string) => {
  const { visibility, urls, visitorAuth } = await content.as('read').getSpaceById({ params: { spaceId } })
  return { visibility, published: urls.published, public: urls.public, visitorAuth }
}

const adminOf = (...organizations: string[]) =>
  busClient(content.gateway, contentApi, {
    service: 'content',
    prefix: 'api' as const,
    actor: {
      userId: 'boss',
      platformAdmin: false,
      scopes: ['read', 'write'],
      memberships: organizations.map(organization => ({ organization, role: 'admin' as const, teams: [] })),
    },
  })

it('A space has the visibility and the address of the most open site that shows it', async () => {
  const space = await aSpace(content, {})
  const url = (site: string) => `https://${site}.docs.test/${space}/`
  await show({ site: 'one', version: 1, visibility: 'visitor-auth', spaces: [space] })
  expect(await read(space)).toEqual({
    visibility: 'visitor-auth',
    published: url('one'),
    public: undefined,
    visitorAuth: { backend: 'custom' },
  })
  await show({ site: 'two', version: 1, spaces: [space, space] })
  expect(await read(space)).toMatchObject({ visibility: 'public', published: url('two'), public: url('two') })
  await publish(tx => tx.publish(publishingEvents.siteDeleted, { organization, site: 'two', version: 2 }))
  expect(await read(space)).toMatchObject({ visibility: 'visitor-auth', published: url('one') })
  await show({ site: 'one', version: 2, published: false, spaces: [space] })
  expect(await read(space)).toMatchObject({ visibility: 'private', published: undefined })
})

it('An event about a site that is older than the last one changes nothing', async () => {
  const space = await aSpace(content, {})
  await show({ site: 'late', version: 5, published: false, spaces: [] })
  await show({ site: 'late', version: 4, spaces: [space] })
  expect(await read(space)).toMatchObject({ visibility: 'private' })
})

it('A space that a site publishes cannot be transferred to another organization', async () => {
  const collection = await aCollection(content)
  const space = await aSpace(content, { parent: collection })
  await show({ site: 'owner', version: 1, spaces: [space] })
  const refused = { code: 'precondition_failed', message: expect.stringContaining('site publishes it') }
  const client = adminOf(organization, 'target')
  const body = { organization: 'target' }
  await expect(client.transferSpace({ params: { spaceId: space }, body })).rejects.toMatchObject(refused)
  await expect(client.transferCollection({ params: { collectionId: collection }, body })).rejects.toMatchObject(refused)
  await show({ site: 'owner', version: 2, published: false, spaces: [space] })
  expect(await client.transferSpace({ params: { spaceId: space }, body })).toMatchObject({ organization: 'target' })
})

describe('mostPublic', () => {
  const at = (visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth', url: string = visibility) => ({
    visibility,
    url,
  })
  it.each([
    [[], null],
    [[at('visitor-auth'), at('share-link')], at('share-link')],
    [[at('unlisted'), at('share-link')], at('unlisted')],
    [[at('unlisted'), at('public'), at('visitor-auth')], at('public')],
    [[at('public', 'first'), at('public', 'second')], at('public', 'first')],
  ])('mostPublic chooses the most open publication of %j', (publications, expected) => {
    expect(mostPublic(publications)).toEqual(expected)
  })
})
