import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually, replySchemas } from '@recto/testing'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()

let publishing: PublishingSetup
let host: string
let params: { organizationId: string; siteId: string }
beforeAll(async () => {
  publishing = await aPublishing()
  const site = await publishing.as('create').createSite({
    params: { organizationId: organization },
    body: { spaces: [publishing.content.aSpace('Manual')] },
  })
  params = { organizationId: organization, siteId: site.id }
  await publishing.as('create').publishSite({ params })
  host = `https://${site.basename}.docs.test`
})
afterAll(() => publishing.stop())

const look = (visitor: { type?: 'human' | 'agent' }) =>
  publishing.anonymous.resolvePublishedContentByUrl({ body: { url: host, visitor }, headers: {} })

it('An agent is refused by a site that excludes AI agents, and nobody else is', async () => {
  expect(await look({ type: 'agent' })).toMatchObject({ site: params.siteId })
  await publishing.as('create').updateSiteById({ params, body: { agentsContext: 'excluded' } })
  await eventually(async () =>
    expect(look({ type: 'agent' })).rejects.toMatchObject({
      code: 'forbidden',
      message: 'This site excludes AI agents',
    }),
  )
  for (const visitor of [{}, { type: 'human' as const }])
    expect(await look(visitor)).toMatchObject({ site: params.siteId })
})

it('The older lookup by a query gives what the lookup by a body gives', async () => {
  const query = { url: `${host}/guides/start` }
  const reply = await publishing.anonymous.getPublishedContentByUrl({ query, headers: {} })
  expect(schemas.validateReply('getPublishedContentByUrl', 200, reply)).toEqual([])
  const { contextId: _own, ...lookup } = reply as typeof reply & { contextId?: string }
  expect(await publishing.anonymous.resolvePublishedContentByUrl({ body: query, headers: {} })).toMatchObject(lookup)
  await publishing.as('create').updateSiteById({ params, body: { visibility: 'visitor-auth' } })
  await publishing.as('create').updateSitePublishingAuthById({ params, body: { fallbackURL: 'https://login.test/' } })
  const withToken = { ...query, visitorAuthToken: 'not-a-token' }
  await eventually(async () => {
    await expect(
      publishing.anonymous.getPublishedContentByUrl({ query: withToken, headers: {} }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    expect(
      await publishing.anonymous.getPublishedContentByUrl({
        query: { ...withToken, redirectOnError: 'true' },
        headers: {},
      }),
    ).toMatchObject({ target: 'external' })
  })
})
