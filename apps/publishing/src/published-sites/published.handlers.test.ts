import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { publishingApi } from '@recto/contracts-publishing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { replySchemas } from '@recto/testing'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()

let publishing: PublishingSetup
let params: { organizationId: string; siteId: string }
let spaces: [string, string]
let section: string
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())
beforeEach(async () => {
  spaces = [publishing.content.aSpace('Manual'), publishing.content.aSpace('Beta')]
  const site = await client().createSite({ params: { organizationId: organization }, body: { spaces: [spaces[0]] } })
  params = { organizationId: organization, siteId: site.id }
  await client().publishSite({ params })
  const added = await client().addSectionToSite({ params, body: { spaceId: spaces[1] } })
  section = added.id
  await client().updateSiteSectionById({
    params: { ...params, siteSectionId: section },
    body: { condition: 'visitor.claims.beta' },
  })
})

const client = () => publishing.as('create')
type Seen = Partial<Parameters<typeof visitorActor>[0]>

/** A client of a visitor of the site. */
function visitor(seen: Seen = {}) {
  const reader = { organization, site: params.siteId, version: 9, spaces, claims: {}, ...seen }
  return busClient(publishing.gateway, publishingApi, {
    service: 'publishing',
    prefix: 'api' as const,
    actor: visitorActor(reader),
  })
}
const titles = async (seen: Seen = {}) => {
  const { structure } = await visitor(seen).getPublishedContentSite({ params })
  return structure.structure.map(({ title }) => title)
}
const missing = { code: 'not_found', message: 'There is no such site' }

describe('a published site', () => {
  it('has everything that a reader needs', async () => {
    const site = await visitor({ claims: { beta: true } }).getPublishedContentSite({ params })
    expect(schemas.validateReply('getPublishedContentSite', 200, site)).toEqual([])
    expect(site).toMatchObject({
      site: { id: params.siteId, published: true },
      structure: { type: 'sections', structure: [{ title: 'Manual', default: true }, { title: 'Beta' }] },
      customizations: { site: { styling: { theme: 'clean' } }, siteSpaces: {} },
      scripts: [],
    })
  })

  it('shows a visitor what their claims let through and their token names', async () => {
    expect(await titles()).toEqual(['Manual'])
    expect(await titles({ claims: { beta: true } })).toEqual(['Manual', 'Beta'])
    expect(await titles({ claims: { beta: true }, spaces: [spaces[1]] })).toEqual(['Beta'])
  })

  it('has the look of a space that overrides something, and no links that a visitor must not see', async () => {
    const customization = await client().getSiteCustomizationById({ params })
    const link = { title: 'Secret', to: { kind: 'url', url: 'https://secret.test' }, links: [] }
    const header = { ...customization.header, links: [{ ...link, condition: 'visitor.claims.beta' }] }
    await client().updateSiteCustomizationById({ params, body: { ...customization, header } as never })
    const { items } = await client().listSiteSpaces({ params })
    const siteSpaceId = items[0]?.id ?? ''
    const body = { themes: { default: 'dark', toggeable: false } }
    await client().overrideSiteSpaceCustomizationById({ params: { ...params, siteSpaceId }, body: body as never })
    const looks = async (claims: object) =>
      (await visitor({ claims: { ...claims } }).getPublishedContentSite({ params })).customizations
    const plain = await looks({})
    const beta = await looks({ beta: true })
    expect([plain.site.header.links.length, beta.site.header.links.length]).toEqual([0, 1])
    expect(plain.siteSpaces[siteSpaceId]).toMatchObject({ themes: { default: 'dark' }, header: { links: [] } })
  })

  it('has no links to what the visitor does not see, with their titles', async () => {
    const page = publishing.content.add(spaces[0], 'page')
    const customization = await client().getSiteCustomizationById({ params })
    const to = {
      shown: { kind: 'page', page },
      closed: { kind: 'space', space: spaces[1] },
      page: { kind: 'page', space: spaces[1], page: publishing.content.add(spaces[1], 'page') },
      elsewhere: { kind: 'url', url: 'https://elsewhere.test' },
    }
    const inner = (...names: (keyof typeof to)[]) => names.map(name => ({ title: `inner ${name}`, to: to[name] }))
    const links = [
      ...Object.entries(to).map(([title, target]) => ({ title, to: target, links: [] })),
      { title: 'menu', to: to.page, links: inner('shown', 'page') },
      { title: 'closed menu', to: null, links: inner('closed', 'page') },
      { title: 'label', to: null, links: [] },
    ]
    const groups = [
      { title: 'mixed', links: inner('elsewhere', 'closed') },
      { title: 'closed group', links: inner('page') },
    ]
    const announcement = { enabled: true, message: 'News', style: 'info', link: { title: 'secret', to: to.page } }
    const changes = {
      header: { ...customization.header, links },
      footer: { ...customization.footer, groups },
      announcement,
    }
    await client().updateSiteCustomizationById({ params, body: { ...customization, ...changes } as never })
    const lookOf = async (seen: Seen) => (await visitor(seen).getPublishedContentSite({ params })).customizations.site
    expect(await lookOf({ claims: { beta: true } })).toMatchObject(changes)
    const { header, footer, announcement: banner } = await lookOf({})
    expect(header.links).toEqual([
      { title: 'shown', to: to.shown, links: [] },
      { title: 'elsewhere', to: to.elsewhere, links: [] },
      { title: 'menu', to: null, links: inner('shown') },
      { title: 'label', to: null, links: [] },
    ])
    expect(footer.groups).toEqual([{ title: 'mixed', links: inner('elsewhere') }])
    expect(banner).toEqual({ enabled: true, message: 'News', style: 'info' })
    publishing.content.remove(spaces[0])
    expect((await lookOf({ spaces: [spaces[1]], claims: { beta: true } })).header.links).not.toContainEqual(
      expect.objectContaining({ title: 'shown' }),
    )
  })

  it('has no group in which the visitor sees no section, at any depth; members see all of them', async () => {
    const addGroup = (title: string, sections: string[], parent?: string) =>
      client().addSectionGroupToSite({ params, body: { title, sections, ...(parent !== undefined && { parent }) } })
    const outer = await addGroup('Outer secret', [])
    await addGroup('Inner secret', [section], outer.id)
    await addGroup('Empty', [])
    expect(await titles()).toEqual(['Manual'])
    expect(await titles({ claims: { beta: true } })).toEqual(['Manual', 'Outer secret'])
    const { structure } = await publishing.as('read').getPublishedContentSite({ params })
    expect(structure.structure.map(({ title }) => title)).toEqual(['Manual', 'Outer secret', 'Empty'])
  })

  it('tells a visitor no settings: no conditions, no addresses but its own, and no more spaces than they see', async () => {
    const body = { hostname: 'docs.settings.test', proxy: 'settings.test/docs' }
    await client().updateSiteById({ params, body })
    const header = { title: 'Beta', to: null, links: [], condition: 'visitor.claims.beta' }
    const customization = await client().getSiteCustomizationById({ params })
    const links = { ...customization, header: { ...customization.header, links: [header] } }
    await client().updateSiteCustomizationById({ params, body: links as never })
    const { items } = await client().listSiteSpaces({ params })
    const siteSpaceId = items.find(({ space }) => space.id === spaces[1])?.id ?? ''
    const condition = 'visitor.claims.beta && true'
    await client().updateSiteSpaceById({ params: { ...params, siteSpaceId }, body: { condition } })
    const text = JSON.stringify(await client().getPublishedContentSite({ params }))
    const secrets = ['visitor.claims.beta && true', 'condition', '"basename"', '"proxy"', 'docs.settings.test']
    for (const secret of secrets) expect([secret, text.includes(secret)]).toEqual([secret, true])
    for (const [claims, count] of [
      [{ beta: true }, 2],
      [{}, 1],
    ] as const) {
      const published = await visitor({ claims }).getPublishedContentSite({ params })
      expect(schemas.validateReply('getPublishedContentSite', 200, published)).toEqual([])
      expect(published.site.siteSpaces).toBe(count)
      for (const secret of secrets) expect(JSON.stringify(published)).not.toContain(secret)
    }
  })

  describe('offers what is for agents', () => {
    const offers = { pageActions: { externalAI: true, markdown: true, mcp: true }, ai: { mode: 'assistant' as const } }
    const nothing = { pageActions: { externalAI: false, markdown: false, mcp: false }, ai: { mode: 'none' } }
    const look = async (who: { getPublishedContentSite: ReturnType<typeof visitor>['getPublishedContentSite'] }) => {
      const { customizations, site } = await who.getPublishedContentSite({ params })
      const looks = [customizations.site, ...Object.values(customizations.siteSpaces)]
      return { agents: site.agentsContext, looks: looks.map(({ pageActions, ai }) => ({ pageActions, ai })) }
    }

    it.each([
      ['included', offers],
      ['excluded', nothing],
    ] as const)('to visitors of a site of which they are %s: %j', async (agentsContext, expected) => {
      const settings = await client().getSiteCustomizationById({ params })
      await client().updateSiteCustomizationById({ params, body: { ...settings, ...offers } as never })
      const { items } = await client().listSiteSpaces({ params })
      const body = { themes: { default: 'dark', toggeable: false } } as never
      await client().overrideSiteSpaceCustomizationById({
        params: { ...params, siteSpaceId: items[0]?.id ?? '' },
        body,
      })
      await client().updateSiteById({ params, body: { agentsContext } })
      for (const seen of [{}, { previews: true }])
        expect(await look(visitor(seen))).toMatchObject({ agents: agentsContext, looks: [expected, expected] })
      // Whoever manages the site sees what is set.
      expect(await look(client())).toMatchObject({ agents: agentsContext, looks: [offers, offers] })
      expect(await client().getSiteCustomizationById({ params })).toMatchObject(offers)
    })
  })

  it('A key of a share link with a NUL is refused, naming the field', async () => {
    const refused = { code: 'invalid_request', details: [expect.objectContaining({ path: 'query.shareKey' })] }
    for (const who of [visitor(), publishing.as('read')])
      await expect(who.getPublishedContentSite({ params, query: { shareKey: '\0' } })).rejects.toMatchObject(refused)
  })

  it('is shown to members, and to visitors of no other site', async () => {
    expect(await publishing.as('read').getPublishedContentSite({ params })).toMatchObject({
      site: { id: params.siteId },
    })
    for (const seen of [{ site: 'another' }, { organization: 'another' }])
      await expect(visitor(seen).getPublishedContentSite({ params })).rejects.toMatchObject(missing)
    for (const role of [undefined, null] as const)
      await expect(publishing.as(role).getPublishedContentSite({ params })).rejects.toMatchObject(missing)
  })

  it('is none before it is published, but for those who preview it', async () => {
    await client().unpublishSite({ params })
    const refused = { code: 'not_found', message: 'The site is not published' }
    await expect(visitor().getPublishedContentSite({ params })).rejects.toMatchObject(refused)
    await expect(client().getPublishedContentSite({ params })).rejects.toMatchObject(refused)
    expect(await titles({ previews: true })).toEqual(['Manual'])
  })

  it('has addresses that lead through a share link, whose key must be right', async () => {
    await client().updateSiteById({ params, body: { visibility: 'share-link' } })
    const link = await client().createSiteShareLink({ params, body: { name: 'Friends' } })
    const address = link.urls.published ?? ''
    const shareKey = new URL(address).pathname.split('/')[1]
    for (const reader of [visitor(), publishing.as('read')]) {
      const { site, structure } = await reader.getPublishedContentSite({ params, query: { shareKey } })
      const urls = { published: address }
      expect([site, structure.structure[0]]).toMatchObject([
        { urls },
        { urls, siteSpaces: [{ urls, space: { urls } }] },
      ])
      await expect(reader.getPublishedContentSite({ params, query: { shareKey: 'wrong' } })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
  })
})
