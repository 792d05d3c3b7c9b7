import { visitorActor, verifyVisitorToken, visitorTokenKeys } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { publishingApi } from '@recto/contracts-publishing'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { anIdentityResponder, type IdentityResponder } from '../test/identity-responder.ts'
import { aPublishing, organization, secret, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
const valid = (operation: string, reply: unknown, status = 200) =>
  expect(schemas.validateReply(operation, status, reply)).toEqual([])

let publishing: PublishingSetup
let identity: IdentityResponder
beforeAll(async () => {
  publishing = await aPublishing({ READER_URL: 'https://reader.test' })
  identity = await anIdentityResponder(publishing.natsUrlFor('identity'))
})
afterAll(async () => {
  await identity.stop()
  await publishing.stop()
})

let host: string
let spaces: [string, string]
let params: { organizationId: string; siteId: string }
/** Ids of the live section and of the one that is a draft, and of the space in it. */
let section: { live: string; draft: string; draftSpace: string }
beforeEach(async () => {
  identity.setMember('a-create', 'create')
  spaces = [publishing.content.aSpace('Manual'), publishing.content.aSpace('Next')]
  const site = await creator().createSite({ params: { organizationId: organization }, body: {} })
  params = { organizationId: organization, siteId: site.id }
  host = `https://${site.basename}.docs.test`
  await creator().publishSite({ params })
  const live = await creator().addSectionToSite({ params, body: { spaceId: spaces[0] } })
  const draft = await creator().addSectionToSite({ params, body: { spaceId: spaces[1], draft: true } })
  section = { live: live.id, draft: draft.id, draftSpace: draft.siteSpaces[0]?.id ?? '' }
})

const creator = () => publishing.as('create')
const on = (siteSectionId: string) => ({ ...params, siteSectionId })
function visitor(seen: object = {}) {
  const actor = visitorActor({ organization, site: params.siteId, version: 9, spaces, claims: {}, ...seen })
  return busClient(publishing.gateway, publishingApi, { service: 'publishing', prefix: 'api' as const, actor })
}
const titles = async (client: ReturnType<typeof visitor>) =>
  (await client.getPublishedContentSite({ params })).structure.structure.map(({ title }) => title)
const look = (url: string, token?: string) =>
  publishing.anonymous.resolvePublishedContentByUrl({
    body: { url },
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })

describe('what is a draft', () => {
  it('is made live only by who may publish its spaces, whichever change does it', async () => {
    const group = await creator().addSectionGroupToSite({ params, body: { title: 'More', draft: true } })
    const member = publishing.as('create', 'somebody')
    const changes = {
      live: () => member.updateSiteSectionById({ params: on(section.draft), body: { draft: false } }),
      ungroup: () =>
        member.updateSiteSectionGroupById({
          params: { ...params, siteSectionGroupId: group.id },
          body: { draft: false },
        }),
    }
    publishing.content.setRole(spaces[1], 'somebody', null)
    await expect(changes.live()).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('body.draft'),
    })
    publishing.content.setRole(spaces[1], 'somebody', 'edit')
    await expect(changes.live()).rejects.toMatchObject({ code: 'forbidden' })
    const inGroup = { draft: false, siteSectionGroupId: group.id }
    await member.updateSiteSectionById({ params: on(section.draft), body: inGroup })
    await expect(changes.ungroup()).rejects.toMatchObject({ code: 'forbidden' })
    publishing.content.setRole(spaces[1], 'somebody', 'create')
    await changes.ungroup()
  })

  it('is seen by those who manage the site, without a published address', async () => {
    const structure = await creator().getSiteStructure({ params })
    valid('getSiteStructure', structure)
    expect(structure.structure).toMatchObject([
      { draft: false, urls: { published: `${host}/` } },
      { draft: true, urls: {}, siteSpaces: [{ draft: false, urls: {} }] },
    ])
    valid('listSiteSpaces', await creator().listSiteSpaces({ params }))
    valid('listSiteSections', await creator().listSiteSections({ params }))
  })

  it('is not published, not at an address, not searched and no target of a redirect', async () => {
    expect(await titles(visitor())).toEqual(['Manual'])
    expect(await titles(publishing.as('read') as never)).toEqual(['Manual'])
    expect(await look(`${host}/next/`)).toMatchObject({ pathname: '/next', siteSection: section.live })
    const body = { query: 'a', scope: { mode: 'all' as const } }
    expect((await visitor().searchSiteContent({ params, body })).items.map(({ id }) => id)).toEqual([spaces[0]])
    const destination = { kind: 'site-section' as const, siteSectionId: section.draft }
    await creator().createSiteRedirect({ params, body: { source: '/soon', destination } })
    const redirect = () => visitor().getSiteRedirectBySource({ params, query: { source: '/soon' } })
    await expect(redirect()).rejects.toMatchObject({ code: 'not_found' })
    await creator().updateSiteSectionById({ params: on(section.draft), body: { draft: false } })
    expect(await redirect()).toMatchObject({ target: `${host}/next/` })
    expect(await titles(visitor())).toEqual(['Manual', 'Next'])
  })

  it('ends the tokens of visitors who saw it', async () => {
    const closed = async () =>
      (await publishing.service.db.query(`select closed_version, version from sites where id = $1`, [
        params.siteId,
      ])) as { closed_version: number; version: number }[]
    await creator().updateSiteSectionById({ params: on(section.draft), body: { draft: false } })
    const [before] = await closed()
    expect(before?.closed_version).toBe(0)
    await creator().updateSiteSpaceById({
      params: { ...params, siteSpaceId: section.draftSpace },
      body: { draft: true },
    })
    const [after] = await closed()
    expect(after?.closed_version).toBe(after?.version)
  })

  it('is what is in a group that is one', async () => {
    const group = await creator().addSectionGroupToSite({ params, body: { title: 'More', draft: true } })
    valid('addSectionGroupToSite', group, 201)
    await creator().updateSiteSectionById({
      params: on(section.draft),
      body: { draft: false, siteSectionGroupId: group.id },
    })
    expect(await titles(visitor())).toEqual(['Manual'])
    const body = { draft: false, localizedTitle: { de: 'Mehr' } }
    const at = { ...params, siteSectionGroupId: group.id }
    const updated = await creator().updateSiteSectionGroupById({ params: at, body })
    valid('updateSiteSectionGroupById', updated)
    expect(updated).toMatchObject(body)
    expect(await titles(visitor())).toEqual(['Manual', 'More'])
  })

  it('gives the root to the next in order while it is the default', async () => {
    await creator().updateSiteSectionById({ params: on(section.draft), body: { draft: false } })
    await creator().updateSiteSectionById({ params: on(section.live), body: { draft: true } })
    expect(await look(`${host}/`)).toMatchObject({ siteSection: section.draft, canonicalUrl: `${host}/` })
    const { items } = await creator().listSiteSections({ params })
    expect(items.map(({ urls }) => urls.published)).toEqual([undefined, `${host}/`])
  })
})

describe('the last live part of a published site', () => {
  const fault = { code: 'invalid_request', details: [expect.objectContaining({ path: 'body.draft' })] }
  const update = {
    section: () => creator().updateSiteSectionById({ params: on(section.live), body: { draft: true } }),
    space: async () => {
      const { items } = await creator().listSiteSpaces({ params })
      const siteSpaceId = items.find(({ space }) => space.id === spaces[0])?.id ?? ''
      return creator().updateSiteSpaceById({ params: { ...params, siteSpaceId }, body: { draft: true } })
    },
    group: () =>
      creator().addSectionGroupToSite({ params, body: { title: 'More', draft: true, sections: [section.live] } }),
  }

  it.each(['section', 'space', 'group'] as const)('is not made a draft by a change of its %s', async part => {
    await expect(update[part]()).rejects.toMatchObject(fault)
    expect(await titles(visitor())).toEqual(['Manual'])
  })

  it('is not moved into a draft either', async () => {
    const { id } = await creator().addSectionGroupToSite({ params, body: { title: 'More', draft: true } })
    const body = { siteSectionGroupId: id }
    await expect(creator().updateSiteSectionById({ params: on(section.live), body })).rejects.toMatchObject({
      details: [expect.objectContaining({ path: 'body' })],
    })
  })

  it('is made a draft of a site that is not published, and may be removed', async () => {
    await creator().unpublishSite({ params })
    expect(await update.section()).toMatchObject({ draft: true })
    await expect(creator().publishSite({ params })).rejects.toMatchObject({
      code: 'conflict',
      message: 'The site has drafts only: make one of its parts live, then publish it',
    })
    await creator().updateSiteSectionById({ params: on(section.live), body: { draft: false } })
    await creator().publishSite({ params })
    await creator().deleteSiteSectionById({ params: on(section.live) })
    await expect(look(`${host}/`)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a preview', () => {
  const preview = async (query: object = {}) => {
    const reply = await creator().getSitePublishingPreviewById({ params, query })
    valid('getSitePublishingPreviewById', reply)
    const url = new URL(reply.url)
    return { address: `${url.origin}${url.pathname}`, token: url.searchParams.get('token') ?? '' }
  }

  it('shows drafts, unless it is to show what visitors see', async () => {
    const draft = await preview({ siteSpace: section.draftSpace })
    expect(draft.address).toBe(`https://reader.test/url/preview/${params.siteId}/next/`)
    const lookup = await look(`https://preview/${params.siteId}/next/`, draft.token)
    expect(lookup).toMatchObject({ siteSection: section.draft, pathname: '/' })
    const { apiToken } = lookup as { apiToken: string }
    const seen = (await verifyVisitorToken(apiToken, visitorTokenKeys([secret])))?.actor.visitor
    expect(seen).toMatchObject({ previews: true, showsDrafts: true, spaces })
    expect(await titles(visitor(seen))).toEqual(['Manual', 'Next'])
    expect(await titles(visitor({ previews: true }))).toEqual(['Manual'])

    const live = await preview({ draft: 'false' })
    expect(await look(`https://preview/${params.siteId}/next/`, live.token)).toMatchObject({
      siteSection: section.live,
    })
    await expect(preview({ siteSpace: section.draftSpace, draft: 'false' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('is at the reader that the request names', async () => {
    expect((await preview({ target: 'https://mine.test/docs?x=1' })).address).toBe('https://mine.test/docs/')
    await expect(preview({ target: 'javascript:alert(1)' })).rejects.toMatchObject({
      details: [expect.objectContaining({ path: 'query.target' })],
    })
  })

  it('that shows nothing says so, when it is made and when it is opened', async () => {
    const { token } = await preview()
    const address = `https://preview/${params.siteId}/`
    const refused = { code: 'forbidden', message: expect.stringContaining('may read none of the spaces') }
    identity.setMember('a-create', 'create')
    for (const space of spaces) publishing.content.setRole(space, 'a-create', null)
    await expect(creator().getSitePublishingPreviewById({ params, query: {} })).rejects.toMatchObject(refused)
    const query = { siteSpace: section.draftSpace }
    await expect(creator().getSitePublishingPreviewById({ params, query })).rejects.toMatchObject({
      code: 'not_found',
      details: [expect.objectContaining({ path: 'query.siteSpace' })],
    })
    await expect(look(address, token)).rejects.toMatchObject(refused)
    publishing.content.setRole(spaces[1], 'a-create', 'read')
    expect(await look(address, token)).toMatchObject({ siteSection: section.draft })
  })

  it('has an address that the site names', async () => {
    const site = await creator().getSiteById({ params })
    expect(site.urls.preview).toBe(`https://reader.test/url/preview/${params.siteId}/`)
  })
})
