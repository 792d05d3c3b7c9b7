import { serve, connectBus, type Bus } from '@recto/bus'
import { peopleCalls } from '@recto/contracts'
import { feature } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import { replySchemas } from '@recto/testing'
import type { Role } from '@recto/actor'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../../test/publishing-setup.ts'

const schemas = replySchemas()
const members: { user: string; role: Role | null; teams: string[] }[] = [
  { user: 'c-guest', role: null, teams: [] },
  { user: 'b-reader', role: 'read', teams: [] },
  { user: 'a-admin', role: 'admin', teams: [] },
  { user: 'd-editor', role: 'edit', teams: [] },
]

let publishing: PublishingSetup
let identity: Bus
let serving: { stop(): Promise<void> }
let params: { organizationId: string; siteId: string }
beforeAll(async () => {
  publishing = await aPublishing()
  identity = await connectBus({ url: publishing.natsUrlFor('identity'), service: 'identity' })
  serving = serve(identity, {
    ...{ prefix: 'rpc', operations: peopleCalls, handlers: people.handlers, context: () => undefined, strict: true },
    log: createLog({ service: 'identity', level: 'silent' }),
  })
  await identity.connection.flush()
  const site = await publishing.as('create').createSite({ params: { organizationId: organization } })
  params = { organizationId: organization, siteId: site.id }
})
afterAll(async () => {
  await serving.stop()
  await identity.drain()
  await publishing.stop()
})

/** Answers in place of identity, by the contract. */
const people = feature<unknown>()(peopleCalls, {
  describePeople: async ({ body }) => ({
    users: body.users.map(id => ({
      object: 'user',
      id,
      displayName: id,
      urls: { location: `http://recto.test/v1/users/${id}` },
    })),
    teams: [],
  }),
  describeMembers: async () => ({ members: [] }),
  describeOrganizations: async () => ({ organizations: [] }),
  listMemberships: async ({ body }) => ({ members: body.organization === organization ? members : [] }),
})

it('lists the users who see a site, in pages', async () => {
  const list = async (query: object) => {
    const page = await publishing.as('read').listPermissionsAggregateInSite({ params, query })
    expect(schemas.validateReply('listPermissionsAggregateInSite', 200, page)).toEqual([])
    return { ...page, items: page.items.map(({ user, permission, origin }) => [user.id, permission, origin]) }
  }
  const origin = { type: 'organization', organization }
  const first = await list({ limit: 2 })
  expect(first).toMatchObject({
    count: 3,
    items: [
      ['a-admin', 'admin', origin],
      ['b-reader', 'read', origin],
    ],
  })
  expect(await list({ limit: 2, page: first.next?.page })).toEqual({ count: 3, items: [['d-editor', 'edit', origin]] })
  for (const role of [null, undefined])
    await expect(publishing.as(role).listPermissionsAggregateInSite({ params })).rejects.toMatchObject({
      code: 'not_found',
    })
})

it('has no scripts of integrations', async () => {
  const scripts = await publishing.as('read').listSiteIntegrationScripts({ params })
  expect(scripts).toEqual([])
  expect(schemas.validateReply('listSiteIntegrationScripts', 200, scripts)).toEqual([])
  await expect(publishing.as(null).listSiteIntegrationScripts({ params })).rejects.toMatchObject({ code: 'not_found' })
})
