import { api } from '@recto/contracts'
import * as publishing from '@recto/contracts-publishing'
import type { Operation } from '@recto/operation'
import { aGitServer, aRepository, eventually, type GitServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { referringManual as manual } from './fixtures/manual.ts'
import { anOrganization, type Person } from './people.ts'
import { publishedClient, type PublishedClient } from './published-client.ts'
import { aCustomization, anAdaptiveSchema, anEvent, prewarmSearch } from './sites.ts'
import { aSpecification } from './specifications.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { checkedReplies, importRepository } from './walk.ts'

const visitorReplies = checkedReplies()
const memberReplies = checkedReplies()
const { checked } = memberReplies
const seen = visitorReplies.checked
const O = '/orgs/{organizationId}'
const S = '/orgs/{organizationId}/sites/{siteId}'
const SECTION = `${S}/sections/{siteSectionId}`
const GROUP = `${S}/section-groups/{siteSectionGroupId}`
const SPACE = '/spaces/{spaceId}'
const R = '/spaces/{spaceId}/revisions/{revisionId}'
const SITE_SPACE = `${S}/site-spaces/{siteSpaceId}`

let stack: Installation
let git: GitServer
let organization: { id: string; admin: Person }
let repository: Awaited<ReturnType<typeof aRepository>>
/** Spaces of the organization; the first has content of all kinds. */
let spaces: [string, string, string]
let site: string
/** Parts of the site, by what they are. */
const ids = { section: '', other: '', group: '', siteSpace: '', variant: '', link: '', redirect: '' }

const client = () => organization.admin.client
const orgs = () => client().orgs
/** The first arguments of every operation on the site. */
const at = () => [organization.id, site] as const

beforeAll(async () => {
  repository = await aRepository({ files: manual })
  git = await aGitServer({ repositories: { manual: repository.path } })
  stack = await sharedStack()
  organization = await anOrganization(stack)
  const aSpace = async (title: string) => (await orgs().createSpace(organization.id, { title } as never)).data.id
  spaces = [await aSpace('Manual'), await aSpace('Old manual'), await aSpace('Api')]
  await importRepository(organization.admin, spaces[0], git.url('manual'))
})
afterAll(async () => {
  await git.stop()
  await repository.remove()
})

describe('the published client builds a site', () => {
  it('which it creates, lists, updates and publishes', async () => {
    const created = checked(
      `POST ${O}/sites`,
      await orgs().createSite(organization.id, { title: 'Docs', spaces: [spaces[0]] }),
    )
    site = created.id
    expect(checked(`GET ${S}`, await orgs().getSiteById(...at()))).toEqual(created)
    const { items } = checked(`GET ${O}/sites`, await orgs().listSites(organization.id))
    expect(items).toEqual([created])
    const body = { title: 'The docs', adaptiveContent: { enabled: true } }
    expect(checked(`PATCH ${S}`, await orgs().updateSiteById(...at(), body))).toMatchObject(body)
    expect(checked(`POST ${S}/publish`, await orgs().publishSite(...at()))).toMatchObject({ published: true })
  })

  it('with spaces, each with a path and a place', async () => {
    const added = checked(`POST ${S}/site-spaces`, await orgs().addSpaceToSite(...at(), { spaceId: spaces[1] }))
    ids.variant = added.id
    const { items } = checked(`GET ${S}/site-spaces`, await orgs().listSiteSpaces(...at()))
    ids.siteSpace = items[0]?.id ?? ''
    const updated = await orgs().updateSiteSpaceById(...at(), ids.variant, { path: 'v1' })
    expect(checked(`PATCH ${SITE_SPACE}`, updated)).toMatchObject({ path: 'v1' })
    const before = { type: 'site-space' as const, siteSpace: ids.siteSpace }
    checked(`POST ${SITE_SPACE}/move`, await orgs().moveSiteSpace(...at(), ids.variant, { position: { before } }))
    const moved = (await orgs().listSiteSpaces(...at())).data.items.map(({ id }) => id)
    expect(moved).toEqual([ids.variant, ids.siteSpace])
  })

  it('with sections', async () => {
    const add = async (title: string) =>
      checked(`POST ${S}/sections`, await orgs().addSectionToSite(...at(), { spaceId: spaces[2], title })).id
    ids.section = await add('Api')
    ids.other = await add('Other')
    const { items } = checked(`GET ${S}/sections`, await orgs().listSiteSections(...at()))
    expect(items).toHaveLength(3)
    const renamed = await orgs().updateSiteSectionById(...at(), ids.section, { title: 'The API', path: 'the-api' })
    expect(checked(`PATCH ${SECTION}`, renamed)).toMatchObject({ title: 'The API', path: 'the-api' })
    const position = { before: { type: 'site-section' as const, siteSection: ids.section } }
    checked(`POST ${SECTION}/move`, await orgs().moveSiteSection(...at(), ids.other, { position }))
    const item = { type: 'site-section' as const, id: ids.section }
    const sorted = await orgs().sortSiteStructure(...at(), { item, position: { before: { ...item, id: ids.other } } })
    expect(checked(`PATCH ${S}/structure/sort`, sorted)).toMatchObject({ id: ids.section })
  })

  it('with groups of sections', async () => {
    const group = await orgs().addSectionGroupToSite(...at(), { title: 'More' })
    ids.group = checked(`POST ${S}/section-groups`, group).id
    const { items } = checked(`GET ${S}/section-groups`, await orgs().listSiteSectionGroups(...at()))
    expect(items).toMatchObject([{ id: ids.group }])
    const renamed = await orgs().updateSiteSectionGroupById(...at(), ids.group, { title: 'Reference' })
    expect(checked(`PATCH ${GROUP}`, renamed)).toMatchObject({ title: 'Reference' })
    const filled = await orgs().addSectionToGroup(...at(), ids.group, { sectionId: ids.section })
    expect(checked(`POST ${GROUP}/sections`, filled)).toMatchObject({ sections: [{ id: ids.section }] })
    const structure = checked(`GET ${S}/structure`, await orgs().getSiteStructure(...at()))
    expect(structure).toMatchObject({ type: 'sections' })
    checked(
      `DELETE ${GROUP}/sections/{siteSectionId}`,
      await orgs().removeSectionFromGroup(...at(), ids.group, ids.section),
    )
    const position = { before: { type: 'site-section' as const, id: ids.section } }
    checked(`POST ${GROUP}/move`, await orgs().moveSiteSectionGroup(...at(), ids.group, { position } as never))
  })

  it('with its looks, on the whole site and of one space', async () => {
    const looks = aCustomization()
    const set = await orgs().updateSiteCustomizationById(...at(), looks as never)
    expect(checked(`PUT ${S}/customization`, set)).toMatchObject({ header: { preset: 'default' } })
    checked(`GET ${S}/customization`, await orgs().getSiteCustomizationById(...at()))
    const own = `${SITE_SPACE}/customization`
    const override = await orgs().overrideSiteSpaceCustomizationById(...at(), ids.siteSpace, { title: 'Ours' } as never)
    expect(checked(`PATCH ${own}`, override)).toMatchObject({ title: 'Ours' })
    checked(`GET ${own}`, await orgs().getSiteSpaceCustomizationById(...at(), ids.siteSpace))
    checked(`DELETE ${own}`, await orgs().deleteSiteSpaceCustomizationById(...at(), ids.siteSpace))
  })

  it('for an audience: share links, a login, claims and a preview', async () => {
    ids.link = checked(`POST ${S}/share-links`, await orgs().createSiteShareLink(...at(), { name: 'Friends' })).id
    checked(`GET ${S}/share-links`, await orgs().listSiteShareLinks(...at()))
    const LINK = `${S}/share-links/{shareLinkId}`
    const revoked = await orgs().updateSiteShareLinkById(...at(), ids.link, { active: false })
    expect(checked(`PATCH ${LINK}`, revoked)).toMatchObject({ active: false })
    checked(`DELETE ${LINK}`, await orgs().deleteSiteShareLinkById(...at(), ids.link))

    const auth = checked(`GET ${S}/publishing/auth`, await orgs().getSitePublishingAuthById(...at()))
    const login = { backend: 'custom' as const, fallbackURL: 'https://login.test/' }
    checked(`PATCH ${S}/publishing/auth`, await orgs().updateSitePublishingAuthById(...at(), login as never))
    const key = checked(
      `POST ${S}/publishing/auth/regenerate`,
      await orgs().regenerateSitePublishingAuthById(...at()),
    ).privateKey
    expect(key).not.toBe(auth.privateKey)

    const schema = await orgs().updateSiteAdaptiveSchema(...at(), { jsonSchema: anAdaptiveSchema as never })
    checked(`PUT ${S}/adaptive-schema`, schema)
    checked(`GET ${S}/adaptive-schema`, await orgs().getSiteAdaptiveSchema(...at()))
    const conditions = await orgs().listSiteAdaptiveTemplateConditions(...at())
    expect(
      checked(`GET ${S}/adaptive-schema/template-conditions`, conditions).items.map(({ condition }) => condition),
    ).toEqual(['visitor.claims.beta === true'])
    const preview = await orgs().getSitePublishingPreviewById(...at(), { claims: '(beta:!t)' })
    expect(checked(`GET ${S}/publishing/preview`, preview).url).toContain(`https://reader.test/url/preview/${site}/`)
  })

  it('with redirects, and sees who may read it and what integrations add', async () => {
    const destination = { kind: 'site-section' as const, siteSectionId: ids.section }
    const redirect = await orgs().createSiteRedirect(...at(), { source: '/old', destination })
    ids.redirect = checked(`POST ${S}/redirects`, redirect).id
    checked(`GET ${S}/redirects`, await orgs().listSiteRedirects(...at()))
    const REDIRECT = `${S}/redirects/{siteRedirectId}`
    checked(`PATCH ${REDIRECT}`, await orgs().updateSiteRedirectById(...at(), ids.redirect, { source: '/older' }))
    const redirectReply = await orgs().getSiteRedirectBySource(...at(), { source: '/older' })
    expect(checked(`GET ${S}/redirect`, redirectReply).target).toMatch(/\/the-api\/$/)
    expect(checked(`GET ${S}/integration-scripts`, await orgs().listSiteIntegrationScripts(...at()))).toEqual([])
    const people = await orgs().listPermissionsAggregateInSite(...at())
    expect(checked(`GET ${S}/permissions/aggregate`, people).items).toMatchObject([
      { permission: 'admin', user: { id: organization.admin.id } },
    ])
  })
})

describe('the published client reads the site as a visitor', () => {
  const anybody = () => publishedClient(stack.url)
  let visitor: PublishedClient
  let revision: string

  it('which it looks up', async () => {
    const url = (await orgs().getSiteById(...at())).data.urls.published ?? ''
    const lookup = seen('POST /urls/published', await anybody().urls.resolvePublishedContentByUrl({ url }))
    checked('POST /urls/published', await client().urls.resolvePublishedContentByUrl({ url }))
    expect(lookup).toMatchObject({ site, organization: organization.id })
    visitor = publishedClient(stack.url, 'apiToken' in lookup ? lookup.apiToken : '')
  })

  it('with what it shows, its redirects and its search', async () => {
    for (const [reply, who] of [
      [seen, visitor],
      [checked, client()],
    ] as const) {
      reply(`GET ${S}/published`, await who.orgs.getPublishedContentSite(...at()))
      reply(`POST ${S}/search/prewarm`, await prewarmSearch(who, ...at()))
      const redirect = reply(`GET ${S}/redirect`, await who.orgs.getSiteRedirectBySource(...at(), { source: '/older' }))
      expect(redirect.redirect.id).toBe(ids.redirect)
      await eventually(async () => {
        const words = { query: 'tail', scope: { mode: 'all' } } as never
        const results = reply(`POST ${S}/search`, await who.orgs.searchSiteContent(...at(), words))
        expect(results.items).toMatchObject([{ id: spaces[0] }])
      })
    }
  })

  it('whose spaces it reads by revision: pages, files, reusable contents and documents', async () => {
    const { spaces: reading } = visitor
    const [space] = spaces
    ;({ revision } = seen(`GET ${SPACE}`, await reading.getSpaceById(space)))
    const whole = seen(`GET ${R}`, await reading.getRevisionById(space, revision))
    const { pages } = seen(`GET ${R}/pages`, await reading.listPagesInRevisionById(space, revision))
    const { items: files } = seen(`GET ${R}/files`, await reading.listFilesInRevisionById(space, revision))
    seen(`GET ${R}/files/{fileId}`, await reading.getFileInRevisionById(space, revision, files[0]?.id ?? ''))
    for (const format of ['document', 'markdown'] as never[])
      for (const page of pages) {
        if (page.type !== 'document') continue
        seen(`GET ${R}/page/{pageId}`, await reading.getPageInRevisionById(space, revision, page.id, { format }))
        const byPath = await reading.getPageInRevisionByPath(space, revision, page.path, { format })
        expect(seen(`GET ${R}/path/{pagePath}`, byPath).id).toBe(page.id)
        const text = await reading.getPageDocumentInRevisionById(space, revision, page.id)
        seen(`GET ${R}/page/{pageId}/document`, text)
        const { documentId = '' } = page as { documentId?: string }
        seen(`GET ${SPACE}/documents/{documentId}`, await reading.getDocumentById(space, documentId))
      }
    const [reusable] = whole.reusableContents
    const path = `${R}/reusable-contents/{reusableContentId}`
    seen(`GET ${path}`, await reading.getReusableContentInRevisionById(space, revision, reusable?.id ?? ''))
    const text = await reading.getReusableContentDocumentInRevisionById(space, revision, reusable?.id ?? '')
    seen(`GET ${path}/document`, text)
  })

  it('with previews of web pages, specifications, and a change request whose id is in the address', async () => {
    const [space] = spaces
    const embed = await visitor.spaces.getEmbedByUrlInSpace(space, { url: 'http://127.0.0.1:9/' })
    seen(`GET ${SPACE}/embed`, embed)
    const { slug, version } = await aSpecification(organization.admin, organization.id)
    await orgs().updateOpenApiSpecBySlug(organization.id, slug, { visibility: 'public' } as never)
    const SPEC = `${O}/openapi/{specSlug}/versions`
    const latest = await visitor.orgs.getLatestOpenApiSpecVersionContent(organization.id, slug)
    seen(`GET ${SPEC}/latest/content`, latest)
    const content = await visitor.orgs.getOpenApiSpecVersionContentById(organization.id, slug, version)
    seen(`GET ${SPEC}/{versionId}/content`, content)

    const { id } = (await client().spaces.createChangeRequest(space, { subject: 'A proposal' })).data
    const url = `${(await orgs().getSiteById(...at())).data.urls.published ?? ''}manual/~/changes/${id}`
    const { data } = await anybody().urls.resolvePublishedContentByUrl({ url })
    const authToken = 'apiToken' in data ? data.apiToken : ''
    const previewing = publishedClient(stack.url, authToken)
    const proposed = await previewing.spaces.getChangeRequestById(space, id)
    expect(seen(`GET ${SPACE}/change-requests/{changeRequestId}`, proposed)).toMatchObject({ id })
  })

  it('and reports what visitors do, which those who manage the site see as numbers', async () => {
    const events = [anEvent({ siteSpace: ids.siteSpace })] as never
    const url = (await orgs().getSiteById(...at())).data.urls.published ?? ''
    checked('GET /urls/published', await client().urls.getPublishedContentByUrl({ url }))
    checked(`POST ${S}/insights/events`, await anybody().orgs.trackEventsInSiteById(...at(), { events }))
    const counts = await orgs().aggregateSiteEvents(...at(), { range: 'last7Days' } as never)
    checked(`POST ${S}/insights/events/aggregate`, counts)
  })
})

it('the published client takes the site apart', async () => {
  checked(`DELETE ${S}/redirects/{siteRedirectId}`, await orgs().deleteSiteRedirectById(...at(), ids.redirect))
  checked(`DELETE ${GROUP}`, await orgs().deleteSiteSectionGroupById(...at(), ids.group))
  checked(`DELETE ${SECTION}`, await orgs().deleteSiteSectionById(...at(), ids.other))
  checked(`DELETE ${SITE_SPACE}`, await orgs().deleteSiteSpaceById(...at(), ids.variant))
  expect(checked(`POST ${S}/unpublish`, await orgs().unpublishSite(...at()))).toMatchObject({ published: false })
  checked(`DELETE ${S}`, await orgs().deleteSiteById(...at()))
  await expect(orgs().getSiteById(...at())).rejects.toMatchObject({ code: 404 })
})

/** The access to sites, and what is on them since 0.202.0, have walks or tests of their own. */
const elsewhere = [
  ...Object.keys({ ...publishing.sitePermissions, ...publishing.hostnames, ...publishing.agentFeedback }),
  ...Object.keys({ ...publishing.siteExternalLinks, ...publishing.bulkSiteRedirects, ...publishing.siteAsk }),
  ...Object.keys(publishing.siteMcpServers),
  'applyTemplateToSite',
  'duplicateSiteSpace',
]
const ofSites = Object.fromEntries(Object.entries(api.publishing).filter(([id]) => !elsewhere.includes(id)))

describe('has used', () => {
  it('every published operation on sites', () => {
    const { published, unused } = memberReplies.publishedOf(ofSites)
    expect(unused).toEqual([])
    expect(published.length).toBeGreaterThan(50)
  })

  it('every published operation that visitors may use, as a visitor', () => {
    const rows: [string, Operation][] = Object.values(api).flatMap(operations => Object.entries(operations))
    const open = rows.filter(([id, { access }]) => access?.callers?.includes('visitor') && !elsewhere.includes(id))
    const { published, unused } = visitorReplies.publishedOf(Object.fromEntries(open))
    // They need a page that shows a specification, as computed.handlers.test.ts of content has.
    expect(unused.toSorted()).toEqual([
      `POST ${SPACE}/content/computed/document`,
      `POST ${SPACE}/content/computed/revision`,
    ])
    expect(published.length).toBeGreaterThan(17)
  })
})
