import { replySchemas } from '@recto/testing'
import type { Role } from '@recto/actor'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { anIdentityResponder, type IdentityResponder } from '../test/identity-responder.ts'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
const members: [string, Role | null][] = [
  ['c-guest', null],
  ['b-reader', 'read'],
  ['a-admin', 'admin'],
  ['d-editor', 'edit'],
]

let publishing: PublishingSetup
let identity: IdentityResponder
let params: { organizationId: string; siteId: string }
beforeAll(async () => {
  publishing = await aPublishing()
  identity = await anIdentityResponder(publishing.natsUrlFor('identity'))
  for (const [user, role] of members) identity.setMember(user, role)
  const site = await publishing.as('create').createSite({ params: { organizationId: organization } })
  params = { organizationId: organization, siteId: site.id }
})
afterAll(async () => {
  await identity.stop()
  await publishing.stop()
})

it('lists the users who see a site, in pages', async () => {
  const list = async (query: object) => {
    const page = await publishing
      .as('read')
      .listPermissionsAggregateInSite({ params, query: { sort: 'name', order: 'asc', ...query } })
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
