import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { publishingApi } from '@recto/contracts-publishing'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const today = replySchemas('gitbook-api-today')
const valid = (operation: string, reply: unknown, status = 200) =>
  expect(today.validateReply(operation, status, reply)).toEqual([])

let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

let space: string
let section: string
let params: { organizationId: string; siteId: string }
beforeEach(async () => {
  space = publishing.content.aSpace('Manual')
  const at = { organizationId: organization }
  params = { ...at, siteId: (await client().createSite({ params: at, body: {} })).id }
  section = (await client().addSectionToSite({ params, body: { spaceId: space } })).id
  await client().publishSite({ params })
})
const client = () => publishing.as('create')
const link = { title: 'Status', url: 'https://status.test/' }
const add = (body: object = {}) => client().addExternalLinkToSite({ params, body: { ...link, ...body } })
const on = (siteExternalLinkId: string) => ({ ...params, siteExternalLinkId })
const seen = async (claims: Record<string, unknown> = {}) => {
  const actor = visitorActor({ organization, site: params.siteId, version: 9, spaces: [space], claims })
  const visitor = busClient(publishing.gateway, publishingApi, { service: 'publishing', prefix: 'api', actor })
  const published = await visitor.getPublishedContentSite({ params })
  valid('getSiteStructure', published.structure)
  return published.structure.structure
}

describe('a link in the navigation of a site', () => {
  it('is added, moved into a group, changed and deleted', async () => {
    const settings = {
      localizedTitle: { de: 'Zustand' },
      description: 'Whether it works',
      localizedDescription: { de: 'Ob es geht' },
      icon: 'signal',
    }
    const added = await add(settings)
    valid('addExternalLinkToSite', added, 201)
    expect(added).toMatchObject({ object: 'site-external-link', ...link, ...settings, draft: false })
    const group = await client().addSectionGroupToSite({ params, body: { title: 'More' } })
    const changes = { parent: group.id, title: 'Health', url: 'https://health.test/', icon: null, localizedTitle: null }
    const changed = await client().updateSiteExternalLinkById({ params: on(added.id), body: changes })
    valid('updateSiteExternalLinkById', changed)
    expect(changed).toMatchObject({ title: 'Health', sectionGroup: group.id, description: 'Whether it works' })
    expect([changed.icon, changed.localizedTitle]).toEqual([undefined, undefined])
    const structure = await client().getSiteStructure({ params })
    valid('getSiteStructure', structure)
    expect(structure.structure).toMatchObject([
      { id: section },
      { id: group.id, sections: [], children: [{ id: added.id }] },
    ])
    const item = { type: 'site-external-link' as const, id: added.id }
    const before = { type: 'site-section' as const, id: section }
    const sorted = await client().sortSiteStructure({ params, body: { item, position: { before } } })
    valid('sortSiteStructure', sorted)
    expect((await client().getSiteStructure({ params })).structure.map(({ id }) => id)).toEqual([
      added.id,
      section,
      group.id,
    ])
    for (const _twice of [1, 2]) await client().deleteSiteExternalLinkById({ params: on(added.id) })
    expect((await client().getSiteStructure({ params })).structure.map(({ id }) => id)).toEqual([section, group.id])
  })

  it('is published for those for whom its condition holds, and not while it is a draft', async () => {
    const { id } = await add({ condition: 'visitor.claims.beta' })
    await add({ title: 'Later', draft: true })
    expect((await seen()).map(({ title }) => title)).toEqual(['Manual'])
    const structure = await seen({ beta: true })
    expect(structure).toMatchObject([{ title: 'Manual' }, { ...link, id }])
    expect(structure[1]).not.toHaveProperty('condition')
  })

  it('takes the place of a group that goes, and stays without its section', async () => {
    const group = await client().addSectionGroupToSite({ params, body: { title: 'More' } })
    const { id } = await add({ parent: group.id })
    await client().deleteSiteSectionGroupById({ params: { ...params, siteSectionGroupId: group.id } })
    expect((await seen()).map(each => each.id)).toEqual([section, id])
  })

  it.each<[object, string, string]>([
    [{ url: 'javascript:alert(1)' }, 'body.url', 'invalid_request'],
    [{ url: '/local' }, 'body.url', 'invalid_request'],
    [{ title: 'x' }, 'body.title', 'invalid_request'],
    [{ condition: 'a b' }, 'body.condition', 'invalid_request'],
    [{ parent: 'nothing' }, 'body.parent', 'not_found'],
  ])('is refused with %j', async (body, path, code) => {
    const fault = { code, details: [expect.objectContaining({ path })] }
    await expect(add(body)).rejects.toMatchObject(fault)
    const { id } = await add()
    await expect(client().updateSiteExternalLinkById({ params: on(id), body })).rejects.toMatchObject(fault)
    expect(await seen()).toMatchObject([{ id: section }, { id, ...link }])
  })

  it('needs sections, and somebody who manages the site', async () => {
    await client().deleteSiteSectionById({ params: { ...params, siteSectionId: section } })
    await expect(add()).rejects.toMatchObject({ code: 'invalid_request' })
    for (const call of [
      publishing.as('edit').addExternalLinkToSite({ params, body: link }),
      publishing.as('edit').updateSiteExternalLinkById({ params: on('a'), body: {} }),
      publishing.as('edit').deleteSiteExternalLinkById({ params: on('a') }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'forbidden' })
    await expect(client().updateSiteExternalLinkById({ params: on('a'), body: {} })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
