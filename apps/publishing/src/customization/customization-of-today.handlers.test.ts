import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { publishingApi } from '@recto/contracts-publishing'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { anIdentityResponder, type IdentityResponder } from '../test/identity-responder.ts'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'
import { defaultCustomization } from '@recto/contracts-publishing'
import { completeCustomization } from './customization.rules.ts'

const schemas = replySchemas()
const valid = (operation: string, reply: unknown) => expect(schemas.validateReply(operation, 200, reply)).toEqual([])

let publishing: PublishingSetup
let identity: IdentityResponder
beforeAll(async () => {
  publishing = await aPublishing()
  identity = await anIdentityResponder(publishing.natsUrlFor('identity'))
})
afterAll(async () => {
  await identity.stop()
  await publishing.stop()
})

let space: string
let siteSpaceId: string
let params: { organizationId: string; siteId: string }
beforeEach(async () => {
  space = publishing.content.aSpace('Guides')
  const at = { organizationId: organization }
  params = { ...at, siteId: (await creator().createSite({ params: at, body: { spaces: [space] } })).id }
  siteSpaceId = (await creator().listSiteSpaces({ params })).items[0]?.id ?? ''
  await creator().publishSite({ params })
})
const creator = () => publishing.as('create')
const put = (body: object) => creator().updateSiteCustomizationById({ params, body: body as never })
const read = (role: 'create' | 'read' = 'create') => publishing.as(role).getSiteCustomizationById({ params })
const published = async () => {
  const actor = visitorActor({ organization, site: params.siteId, version: 9, spaces: [space], claims: {} })
  const visitor = busClient(publishing.gateway, publishingApi, { service: 'publishing', prefix: 'api', actor })
  return (await visitor.getPublishedContentSite({ params })).customizations
}
/** Settings as the client of today sends them: it knows neither `pdf` nor `git`, nor switches of actions. */
const { pdf: _pdf, git: _git, ...settingsOfToday } = defaultCustomization
const sent = (changes: object = {}) => ({ ...settingsOfToday, pageActions: { items: ['markdown', 'pdf'] }, ...changes })

it('replies to both clients are valid', async () => {
  valid('getSiteCustomizationById', await read())
  valid('updateSiteCustomizationById', await put(sent()))
  const at = { ...params, siteSpaceId }
  valid('getSiteSpaceCustomizationById', await creator().getSiteSpaceCustomizationById({ params: at }))
})

describe('settings of the client of today', () => {
  it('are kept', async () => {
    const { styling, header, footer } = defaultCustomization
    const link = { title: 'There', localizedTitle: { de: 'Dort' }, to: { kind: 'space', space } }
    const settings = sent({
      localizedTitle: { de: 'Unsere' },
      styling: {
        ...styling,
        headingFont: 'Merriweather',
        codeTheme: { default: { light: 'github-light', dark: 'nord' }, openapi: { light: 'red', dark: 'monokai' } },
      },
      header: { ...header, primaryLink: { kind: 'space', space }, links: [{ ...link, links: [link] }] },
      footer: { ...footer, groups: [{ title: 'More', localizedTitle: { fr: 'Plus' }, links: [link] }] },
      announcement: { enabled: true, message: 'News', localizedMessage: { de: 'Neues' }, style: 'info', link },
      socialAccounts: [{ platform: 'github', handle: 'recto', display: { footer: true, header: false } }],
      ai: { mode: 'none', greeting: 'Hi', localizedGreeting: { de: 'Hallo' }, suggestions: ['How?'] },
    })
    const changed = await put(settings)
    valid('updateSiteCustomizationById', changed)
    const { pageActions: _actions, ...rest } = settings
    expect(changed).toMatchObject(rest)
    expect(await read('read')).toEqual(changed)
    expect((await published()).site).toEqual(changed)
  })

  it('say which actions pages offer, and so do the switches of clients from before', async () => {
    const actions = async (body: object) => {
      const { pageActions, pdf, git } = await put(body)
      return { items: pageActions.items, markdown: pageActions.markdown, pdf: pdf.enabled, git: git.showEditLink }
    }
    expect(await actions(sent())).toEqual({ items: ['markdown', 'pdf'], markdown: true, pdf: true, git: false })
    const before = await read()
    expect(await actions({ ...before, git: { showEditLink: true } })).toMatchObject({
      items: ['markdown', 'pdf', 'git'],
      git: true,
    })
    const override = { params: { ...params, siteSpaceId }, body: { git: { showEditLink: false } } }
    const look = await creator().overrideSiteSpaceCustomizationById(override)
    expect(look.pageActions.items).toEqual(['markdown', 'pdf'])
  })

  it('have titles in other languages until a client that knows them changes them', async () => {
    await put(sent({ localizedTitle: { de: 'Unsere' } }))
    expect((await put(sent())).localizedTitle).toEqual({ de: 'Unsere' })
    expect((await put(sent({ localizedTitle: {} }))).localizedTitle).toEqual({})
  })

  it('tell instructions to those alone who manage the site', async () => {
    await put(sent({ ai: { mode: 'search', greeting: 'Hi', instructions: 'Be kind' } }))
    expect((await read()).ai).toEqual({ mode: 'search', greeting: 'Hi', instructions: 'Be kind' })
    expect((await read('read')).ai).toEqual({ mode: 'search', greeting: 'Hi' })
    expect(JSON.stringify(await published())).not.toContain('Be kind')
    identity.setMember('a-read', 'read')
    await publishing.as('admin').inviteToSite({ params, body: { role: 'create', users: ['a-read'] } })
    expect((await read('read')).ai.instructions).toBe('Be kind')
  })

  it('have the time of their last change', async () => {
    expect((await read()).updatedAt).toBeUndefined()
    const { updatedAt = '' } = await put(sent())
    const override = { params: { ...params, siteSpaceId }, body: { title: 'Other' } }
    const look = await creator().overrideSiteSpaceCustomizationById(override)
    expect(new Date(look.updatedAt ?? 0).getTime()).toBeGreaterThanOrEqual(new Date(updatedAt).getTime())
    expect((await read()).updatedAt).toBe(updatedAt)
  })

  it.each<[string, object, string]>([
    [
      'a theme',
      { styling: { ...settingsOfToday.styling, codeTheme: { default: { light: 'x', dark: 'red' } } } },
      'styling.codeTheme.default.light',
    ],
    ['a platform', { socialAccounts: [{ platform: 'x', handle: 'a', display: {} }] }, 'socialAccounts.0.platform'],
    ['a language', { localizedTitle: { xx: 'a' } }, 'localizedTitle'],
    ['a long greeting', { ai: { mode: 'none', greeting: 'x'.repeat(257) } }, 'ai.greeting'],
    ['an action twice', { pageActions: { items: ['pdf', 'pdf'] } }, 'pageActions.items'],
    [
      'a script',
      { header: { ...settingsOfToday.header, primaryLink: { kind: 'url', url: 'javascript:a' } } },
      'header.primaryLink.url',
    ],
  ])('are refused for %s', async (_what, changes, field) => {
    await expect(put(sent(changes))).rejects.toMatchObject({
      code: 'invalid_request',
      details: expect.arrayContaining([expect.objectContaining({ path: `body.${field}` })]),
    })
    expect((await read()).updatedAt).toBeUndefined()
  })
})

describe('a link to what is no part of a site', () => {
  const footer = (to: object) => ({ footer: { groups: [{ title: 'More', links: [{ title: 'There', to }] }] } })

  it.each([
    { kind: 'user', user: 'nobody' },
    { kind: 'collection', collection: 'none' },
    { kind: 'openapi', spec: 'none' },
    { kind: 'tag', tag: 'none' },
  ])('is refused where the caller does not see it: %j', async to => {
    await expect(put(sent(footer(to)))).rejects.toMatchObject({
      code: 'not_found',
      details: [expect.objectContaining({ path: 'body.footer.groups.0.links.0.to' })],
    })
    const header = { ...settingsOfToday.header, primaryLink: { kind: 'page', page: 'none' } }
    await expect(put(sent({ header }))).rejects.toMatchObject({ details: [{ path: 'body.header.primaryLink' }] })
  })

  it.each([
    { kind: 'user', user: 'a-member' },
    { kind: 'reusable-content', reusableContent: 'a' },
  ])('is kept, and not shown to visitors: %j', async to => {
    expect(await put(sent(footer(to)))).toMatchObject(footer(to))
    expect((await published()).site.footer.groups).toEqual([])
  })
})

it('settings that were stored before have the defaults of what they lack', () => {
  const { codeTheme: _theme, ...styling } = defaultCustomization.styling
  const { items: _items, ...pageActions } = defaultCustomization.pageActions
  const { socialAccounts: _accounts, ...rest } = defaultCustomization
  const stored = { ...rest, styling, pageActions }
  expect(completeCustomization(stored)).toEqual(defaultCustomization)
})

describe('a font of a customization', () => {
  const font = (id: string, custom = true) => ({
    id,
    custom,
    fontFamily: 'Sent',
    fontFaces: [{ weight: 400, sources: [{ url: 'https://foreign.test/a' }] }],
  })
  const files = [{ weight: 400, sources: [{ url: 'https://recto.test/files/now/400.woff2', format: 'woff2' }] }]
  const record = { id: 'a-font', custom: true, fontFamily: 'Ours', fontFaces: files }
  const withFont = (fonts: object) => sent({ styling: { ...settingsOfToday.styling, ...fonts } })

  it('is the record of the organization, whatever was sent with its id', async () => {
    const fonts = { font: font('a-font'), monospaceFont: font('a-font', false) }
    const expected = { font: record, monospaceFont: record }
    expect((await put(withFont(fonts))).styling).toMatchObject(expected)
    expect((await published()).site.styling).toMatchObject(expected)
    expect((await read()).styling).toMatchObject(expected)
  })

  it.each(['font', 'headingFont', 'monospaceFont'])('is refused as %s if the organization has none', async name => {
    const before = await read()
    await expect(put(withFont({ [name]: font('of-another', false) }))).rejects.toMatchObject({
      code: 'not_found',
      details: [{ path: `body.styling.${name}.id`, message: 'the organization has no such font' }],
    })
    expect(await read()).toEqual(before)
  })

  it('is the default one after it was deleted', async () => {
    const { fonts } = publishing.content
    fonts.add('short-lived')
    await put(withFont({ font: font('short-lived'), headingFont: font('short-lived') }))
    expect((await read()).styling.font).toMatchObject({ fontFamily: 'Ours' })
    fonts.delete('short-lived')
    expect((await read()).styling).toMatchObject({ font: 'Inter', headingFont: null })
    expect((await published()).site.styling).toMatchObject({ font: 'Inter', headingFont: null })
  })
})
