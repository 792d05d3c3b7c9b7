import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { publishingApi } from '@recto/contracts-publishing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

let params: { organizationId: string; siteId: string }
let root: string
let spaces: { manual: string; beta: string; gamma?: string }
let section: { kind: 'site-section'; siteSectionId: string }
let betaSpace: string
let manual: { kind: 'site-space'; siteSpaceId: string }
beforeEach(async () => {
  spaces = { manual: publishing.content.aSpace('Manual'), beta: publishing.content.aSpace('Beta') }
  const at = { organizationId: organization }
  const site = await creator().createSite({ params: at, body: { spaces: [spaces.manual] } })
  params = { ...at, siteId: site.id }
  const { urls } = (await creator().publishSite({ params })) as { urls: { published?: string } }
  root = urls.published ?? ''
  const added = await creator().addSectionToSite({ params, body: { spaceId: spaces.beta } })
  section = { kind: 'site-section', siteSectionId: added.id }
  betaSpace = added.siteSpaces[0]?.id ?? ''
  const { items } = await creator().listSiteSpaces({ params })
  manual = { kind: 'site-space', siteSpaceId: items.find(({ space }) => space.id === spaces.manual)?.id ?? '' }
})

const creator = () => publishing.as('create')
function visitor() {
  const seen = { organization, site: params.siteId, version: 9, spaces: Object.values(spaces), claims: {} }
  return busClient(publishing.gateway, publishingApi, {
    service: 'publishing',
    prefix: 'api',
    actor: visitorActor(seen),
  })
}
const redirected = (source: string) => visitor().getSiteRedirectBySource({ params, query: { source } })
const target = async (source: string) => (await redirected(source)).target
const nowhere = (source: string) =>
  expect(redirected(source)).rejects.toMatchObject({ code: 'not_found', message: 'This path leads nowhere' })
type Settings = { draft?: boolean; captureWildcard?: boolean; permanent?: boolean }
const redirectTo = (source: string, destination: object, settings: Settings = {}) =>
  creator().createSiteRedirect({ params, body: { source, destination: destination as never, ...settings } })
const external = (url: string) => ({ kind: 'external' as const, url })

describe('a redirect', () => {
  it('that is a draft is not followed, and the live one of its source is', async () => {
    await redirectTo('/old', section, { draft: true })
    await redirectTo('/old/*', section, { draft: true })
    await nowhere('/old')
    await nowhere('/old/x')
    const live = await redirectTo('/old', manual)
    expect(await redirected('/old')).toEqual({ redirect: live, target: root })
  })

  it('that is permanent says so, and one that nobody made is not', async () => {
    publishing.content.aPage(spaces.manual, 'now', 'before')
    await redirectTo('/old', section, { permanent: true })
    expect((await redirected('/old')).redirect.permanent).toBe(true)
    expect((await redirected('/before')).redirect).toMatchObject({ permanent: false, draft: false })
  })

  it('leads outside the site', async () => {
    await redirectTo('/out', external('https://elsewhere.example/日?a=1#b'))
    expect(await target('/out')).toBe('https://elsewhere.example/%E6%97%A5?a=1#b')
  })
})

describe('a wildcard', () => {
  it('leads everything below it to its destination, and an exact source or a longer wildcard goes before it', async () => {
    const rule = await redirectTo('/old/*', section)
    expect(await redirected('/old/a/b')).toEqual({ redirect: rule, target: `${root}beta/` })
    expect(await redirected('/old/*')).toEqual({ redirect: rule, target: `${root}beta/` })
    await redirectTo('/old/a/*', manual)
    await redirectTo('/old/a/exact', external('https://exact.example/'))
    expect([await target('/OLD/x'), await target('/old/a/b'), await target('/old/a/exact')]).toEqual([
      `${root}beta/`,
      root,
      'https://exact.example/',
    ])
    expect(await target('/old')).toBe(`${root}beta/`)
    await nowhere('/older/x')
    await nowhere('/other/*')
  })

  it('goes before the paths that pages had', async () => {
    publishing.content.aPage(spaces.manual, 'now', 'old/before')
    expect(await target('/old/before')).toBe(`${root}now`)
    await redirectTo('/old/*', section)
    expect(await target('/old/before')).toBe(`${root}beta/`)
  })

  it('appends what it stands for, where a page is', async () => {
    publishing.content.aPage(spaces.beta, 'guide/now', 'guide/before')
    const parent = publishing.content.aPage(spaces.beta, 'guide')
    await redirectTo('/old/*', section, { captureWildcard: true })
    await redirectTo('/v1*', { kind: 'site-page', siteSpaceId: betaSpace, pageId: parent }, { captureWildcard: true })
    expect([await target('/old/guide/now'), await target('/old/guide/before'), await target('/v1/now')]).toEqual([
      `${root}beta/guide/now`,
      `${root}beta/guide/now`,
      `${root}beta/guide/now`,
    ])
    expect(await target('/v1')).toBe(`${root}beta/guide`)
    for (const source of ['/old/nothing', '/v1/nothing', '/old/~/changes/x', '/old/%2E%2E/guide']) await nowhere(source)
  })

  it('appends what it stands for to a URL outside the site, and never leads out of its path', async () => {
    await redirectTo('/out/*', external('https://elsewhere.example/docs?v=1'), { captureWildcard: true })
    expect(await target('/out/a%20b/C')).toBe('https://elsewhere.example/docs/a%20b/C?v=1')
    expect(await target('/out')).toBe('https://elsewhere.example/docs?v=1')
    for (const source of ['/out/../x', '/out/%2e%2e/x', '/out/a/.']) await nowhere(source)
    await redirectTo('/host*', external('https://elsewhere.example'), { captureWildcard: true })
    expect(await target('/host.evil.example')).toBe('https://elsewhere.example/.evil.example')
  })
})

it('a target has the query of the visitor, and what it has itself wins', async () => {
  publishing.content.aPage(spaces.manual, 'now', 'before')
  await redirectTo('/out', external('https://elsewhere.example/?v=1#top'))
  await redirectTo('/old', section)
  const withQuery = async (source: string) =>
    (await visitor().getSiteRedirectBySource({ params, query: { source, query: 'v=2&utm=a%20b' } })).target
  expect([await withQuery('/out'), await withQuery('/old'), await withQuery('/before')]).toEqual([
    'https://elsewhere.example/?v=1&utm=a%20b#top',
    `${root}beta/?v=2&utm=a%20b`,
    `${root}now?v=2&utm=a%20b`,
  ])
})

describe('redirects in a circle', () => {
  it('lead nowhere when they are between spaces without pages', async () => {
    await redirectTo('/beta*', section)
    await nowhere('/beta')
    expect(await target('/beta/old')).toBe(`${root}beta/`)
    const gamma = await creator().addSectionToSite({
      params,
      body: { spaceId: publishing.content.aSpace('Gamma') },
    })
    spaces = { ...spaces, gamma: gamma.siteSpaces[0]?.space.id ?? '' }
    await redirectTo('/beta', { kind: 'site-section', siteSectionId: gamma.id })
    expect(await target('/beta')).toBe(`${root}gamma/`)
    await redirectTo('/gamma', section)
    await nowhere('/beta')
    await nowhere('/gamma')
  })

  it('cannot arise from what wildcards append', async () => {
    await redirectTo('/beta/*', manual, { captureWildcard: true })
    await redirectTo('/x/*', section, { captureWildcard: true })
    for (const source of ['/beta/x/a', '/x/beta/a', '/x/a', '/beta/a']) await nowhere(source)
  })

  it('cannot arise through a URL of the site itself', async () => {
    const invalid = {
      code: 'invalid_request',
      message: 'body.destination.url: is on this site: name its section, space or page instead',
    }
    await expect(redirectTo('/a', external(`${root}b`))).rejects.toMatchObject(invalid)
    await redirectTo('/a', external('https://docs.later.example/docs'))
    expect(await target('/a')).toBe('https://docs.later.example/docs')
    await creator().updateSiteById({ params, body: { hostname: 'docs.later.example' } as never })
    await nowhere('/a')
  })
})
