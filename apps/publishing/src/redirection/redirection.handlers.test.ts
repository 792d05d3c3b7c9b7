import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { publishingApi } from '@recto/contracts-publishing'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

let params: { organizationId: string; siteId: string }
let root: string
let spaces: { manual: string; beta: string }
let section: { id: string; siteSpace: string }
let manual: string
beforeEach(async () => {
  spaces = { manual: publishing.content.aSpace('Manual'), beta: publishing.content.aSpace('Beta') }
  const at = { organizationId: organization }
  const site = await creator().createSite({ params: at, body: { spaces: [spaces.manual] } })
  params = { ...at, siteId: site.id }
  const { urls } = (await creator().publishSite({ params })) as { urls: { published?: string } }
  root = urls.published ?? ''
  const added = await creator().addSectionToSite({ params, body: { spaceId: spaces.beta } })
  section = { id: added.id, siteSpace: added.siteSpaces[0]?.id ?? '' }
  const { items } = await creator().listSiteSpaces({ params })
  manual = items.find(({ space }) => space.id === spaces.manual)?.id ?? ''
})

const creator = () => publishing.as('create')
type Seen = Partial<Parameters<typeof visitorActor>[0]>
function visitor(seen: Seen = {}) {
  const reader = { organization, site: params.siteId, version: 9, spaces: Object.values(spaces), claims: {}, ...seen }
  const actor = visitorActor(reader)
  return busClient(publishing.gateway, publishingApi, { service: 'publishing', prefix: 'api', actor })
}
type Client = ReturnType<typeof visitor>
async function redirected(source: string, client: Client = visitor(), query: { shareKey?: string } = {}) {
  const redirect = await client.getSiteRedirectBySource({ params, query: { source, ...query } })
  expect(schemas.validateReply('getSiteRedirectBySource', 200, redirect)).toEqual([])
  return redirect
}
const target = async (...args: Parameters<typeof redirected>) => (await redirected(...args)).target
const missing = { code: 'not_found' }
const nowhere = (...args: Parameters<typeof redirected>) =>
  expect(redirected(...args)).rejects.toMatchObject({ code: 'not_found', message: 'This path leads nowhere' })
const redirectTo = (source: string, destination: object) =>
  creator().createSiteRedirect({ params, body: { source, destination: destination as never } })
const hideSection = () =>
  creator().updateSiteSectionById({
    params: { ...params, siteSectionId: section.id },
    body: { condition: 'visitor.claims.beta' },
  })

describe('a redirect of the site', () => {
  it('leads to a section, a space or a page, before all else', async () => {
    const page = publishing.content.aPage(spaces.beta, 'guide/new page')
    publishing.content.aPage(spaces.manual, 'elsewhere', 'old/page')
    const made = await redirectTo('/old/page', { kind: 'site-page', siteSpaceId: section.siteSpace, pageId: page })
    expect(await redirected('/old/page')).toEqual({ redirect: made, target: `${root}beta/guide/new%20page` })
    await redirectTo('/s', { kind: 'site-section', siteSectionId: section.id })
    await redirectTo('/v%C3%A9', { kind: 'site-space', siteSpaceId: manual })
    expect([await target('/s'), await target('/S'), await target('/v%c3%a9')]).toEqual([
      `${root}beta/`,
      `${root}beta/`,
      root,
    ])
  })

  it('leads nowhere when it leads to itself, to what is gone or to what is hidden', async () => {
    const page = publishing.content.aPage(spaces.manual, 'here')
    await redirectTo('/here', { kind: 'site-page', siteSpaceId: manual, pageId: page })
    await nowhere('/here')
    for (const source of ['/here%00', '/%00/here', '/~/changes/%00']) await nowhere(source)
    await redirectTo('/s', { kind: 'site-section', siteSectionId: section.id })
    const hidden = publishing.content.aPage(spaces.beta, 'p')
    await redirectTo('/p', { kind: 'site-page', siteSpaceId: section.siteSpace, pageId: hidden })
    await hideSection()
    for (const source of ['/s', '/p']) {
      await nowhere(source)
      await nowhere(source, visitor({ claims: { beta: true }, spaces: [spaces.manual] }))
      expect(await target(source, visitor({ claims: { beta: true } }))).toContain(`${root}beta/`)
    }
    publishing.content.setRole(spaces.beta, 'a-read', null)
    await nowhere('/p', publishing.as('read'))
    await creator().deleteSiteSectionById({ params: { ...params, siteSectionId: section.id } })
    await nowhere('/s', visitor({ claims: { beta: true } }))
  })
})

describe('a path', () => {
  it('of before leads to the page that had it, in the space that it begins with', async () => {
    const page = publishing.content.aPage(spaces.manual, 'now/here', 'before')
    const other = publishing.content.aPage(spaces.beta, 'there', 'before')
    const redirect = await redirected('/before')
    const destination = { kind: 'site-page', siteSpaceId: manual, pageId: page }
    expect(redirect).toEqual({
      redirect: {
        object: 'site-redirect',
        id: expect.any(String),
        source: '/before',
        destination,
        draft: false,
        captureWildcard: false,
        permanent: false,
        createdAt: expect.any(String),
      },
      target: `${root}now/here`,
    })
    expect((await redirected('/before')).redirect.id).toBe(redirect.redirect.id)
    expect(await redirected('/beta/before')).toMatchObject({
      redirect: { destination: { siteSpaceId: section.siteSpace, pageId: other } },
      target: `${root}beta/there`,
    })
    await nowhere('/now/here')
    await nowhere('/nothing')
    await nowhere('/beta/now/here')
    await nowhere('/beta')
    expect(await target('/Beta')).toBe(`${root}beta/`)
  })

  it('of before of a section or space leads to its new one', async () => {
    publishing.content.aPage(spaces.beta, 'there', 'before')
    const rename = async (path: string) =>
      creator().updateSiteSectionById({ params: { ...params, siteSectionId: section.id }, body: { path } })
    await rename('second')
    await rename('third')
    for (const old of ['beta', 'second', 'SECOND'])
      expect([await target(`/${old}`), await target(`/${old}/there`), await target(`/${old}/before`)]).toEqual([
        `${root}third/`,
        `${root}third/there`,
        `${root}third/there`,
      ])
    expect((await redirected('/beta')).redirect.destination).toEqual({
      kind: 'site-section',
      siteSectionId: section.id,
    })
    await nowhere('/third/there')
    await hideSection()
    await nowhere('/beta')
    await nowhere('/second/there')

    await rename('beta')
    expect(await target('/third', visitor({ claims: { beta: true } }))).toBe(`${root}beta/`)
    await nowhere('/beta', visitor({ claims: { beta: true } }))
  })

  it('of before of a variant leads to its new one', async () => {
    const more = publishing.content.aSpace('More')
    const added = await creator().addSpaceToSite({ params, body: { spaceId: more, sectionId: section.id } })
    publishing.content.aPage(more, 'there')
    const at = { params: { ...params, siteSpaceId: added.id } }
    await creator().updateSiteSpaceById({ ...at, body: { path: 'v2' } })
    const seen = visitor({ spaces: [...Object.values(spaces), more] })
    const redirect = await redirected('/beta/more', seen)
    expect([redirect.target, redirect.redirect.destination]).toEqual([
      `${root}beta/v2/`,
      { kind: 'site-space', siteSpaceId: added.id },
    ])
    expect(await target('/beta/more/there', seen)).toBe(`${root}beta/v2/there`)
    await nowhere('/beta/more')
  })
})

describe('who may ask', () => {
  beforeEach(() => void publishing.content.aPage(spaces.manual, 'now', 'before'))

  it('visitors of the site, and members who see it', async () => {
    expect(await target('/before', publishing.as('read'))).toBe(`${root}now`)
    for (const seen of [{ site: 'another' }, { organization: 'another' }])
      await expect(redirected('/before', visitor(seen))).rejects.toMatchObject(missing)
    for (const role of [undefined, null] as const)
      await expect(redirected('/before', publishing.as(role))).rejects.toMatchObject(missing)
    await expect(redirected('/before', publishing.anonymous)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('nobody while the site is not published', async () => {
    await creator().unpublishSite({ params })
    for (const client of [creator(), visitor(), visitor({ previews: true })])
      await expect(redirected('/before', client)).rejects.toMatchObject(missing)
  })

  it('with the key of a share link, through which the target leads', async () => {
    const link = await creator().createSiteShareLink({ params, body: { name: 'Friends' } })
    const shareKey = new URL(link.urls.published ?? '').pathname.split('/')[1] ?? ''
    for (const client of [visitor(), publishing.as('read')]) {
      await creator().updateSiteById({ params, body: { visibility: 'share-link' } })
      expect(await target('/before', client, { shareKey })).toBe(`${root}${shareKey}/now`)
      await expect(redirected('/before', client, { shareKey: 'wrong' })).rejects.toMatchObject(missing)
      await creator().updateSiteById({ params, body: { visibility: 'unlisted' } })
      expect(await target('/before', client, { shareKey })).toBe(`${root}now`)
    }
  })

  it.each(['before', '/', '/before/', '//before', '/b?a', ''])('not with the source %j', async source => {
    await expect(redirected(source)).rejects.toMatchObject({
      code: 'invalid_request',
      details: expect.arrayContaining([expect.objectContaining({ path: 'query.source' })]),
    })
  })
})
