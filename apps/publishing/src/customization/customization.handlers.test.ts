import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { replySchemas } from '@recto/testing'
import { defaultCustomization } from '@recto/contracts-publishing'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
const both = (url: string) => ({ light: `https://images.test/${url}`, dark: `https://images.test/dark-${url}` })
const link = (to: unknown) => ({ title: 'There', to })

let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

const creator = () => publishing.as('create')
let params: { organizationId: string; siteId: string }
let spaces: string[]
let siteSpaces: string[]

beforeEach(async () => {
  spaces = [publishing.content.aSpace('Guides'), publishing.content.aSpace('Api')]
  const at = { organizationId: organization }
  const { id: siteId } = await creator().createSite({ params: at, body: { spaces } })
  params = { ...at, siteId }
  siteSpaces = (await creator().listSiteSpaces({ params })).items.map(({ id }) => id)
})

const settings = (changes: object = {}) => ({ ...defaultCustomization, ...changes })
const footer = (...links: unknown[]) => ({ footer: { groups: [{ title: 'More', links: links.map(link) }] } })
const update = (changes: object) => creator().updateSiteCustomizationById({ params, body: settings(changes) as never })
const override = (body: object, at = 0) =>
  creator().overrideSiteSpaceCustomizationById({ params: { ...params, siteSpaceId: siteSpaces[at] ?? '' }, body })

describe('the customization of a site', () => {
  it('is complete from the start, and then what was put', async () => {
    const before = await publishing.as('read').getSiteCustomizationById({ params })
    expect(before).toEqual(defaultCustomization)
    expect(schemas.validateReply('getSiteCustomizationById', 200, before)).toEqual([])
    const page = publishing.content.add(spaces[1] ?? '', 'page')
    const file = publishing.content.add(spaces[0] ?? '', 'file')
    const links = [
      {
        title: 'Api',
        style: 'link',
        to: { kind: 'space', space: spaces[1] },
        links: [],
        condition: 'visitor.claims.pro',
      },
      { title: 'Menu', to: null, links: [link({ kind: 'page', space: spaces[1], page })] },
    ]
    const customization = settings({
      title: 'Ours',
      favicon: { icon: both('icon.png') },
      socialPreview: { url: 'https://images.test/card.png' },
      styling: { ...defaultCustomization.styling, theme: 'bold', tint: { color: { light: '#abc', dark: '#a1b2c3' } } },
      header: { preset: 'none', logo: both('logo.png'), links },
      ...footer({ kind: 'file', file }, { kind: 'url', url: 'https://elsewhere.test' }, { kind: 'url', url: '/local' }),
      announcement: {
        enabled: true,
        message: 'Version 2',
        style: 'info',
        link: link({ kind: 'space', space: spaces[0] }),
      },
    })
    const changed = await creator().updateSiteCustomizationById({ params, body: customization as never })
    const withTime = { ...customization, updatedAt: expect.any(String) }
    expect(changed).toEqual(withTime)
    expect(schemas.validateReply('updateSiteCustomizationById', 200, changed)).toEqual([])
    for (const unmasked of ['true', 'false'] as const)
      expect(await publishing.as('read').getSiteCustomizationById({ params, query: { unmasked } })).toEqual(withTime)
  })

  it('gives the site its icon', async () => {
    const icon = async () => (await creator().getSiteById({ params })).icon
    expect(await icon()).toBeUndefined()
    await update({ favicon: { emoji: '1f4d8' } })
    expect(await icon()).toEqual({ emoji: '1f4d8' })
    await update({ favicon: { icon: both('icon.png') } })
    expect(await icon()).toEqual({ icon: both('icon.png') })
    const listed = await creator().listSites({ params: { organizationId: organization } })
    expect(schemas.validateReply('listSites', 200, listed)).toEqual([])
    await update({ favicon: {} })
    expect(await icon()).toBeUndefined()
  })

  it.each<[string, object, string]>([
    [
      'a color',
      { styling: { ...defaultCustomization.styling, primaryColor: { light: 'red', dark: '#fff' } } },
      'styling.primaryColor.light',
    ],
    ['a script', footer({ kind: 'url', url: 'javascript:alert(1)' }), 'footer.groups.0.links.0.to.url'],
    ['another host', footer({ kind: 'url', url: '/\\evil.example' }), 'footer.groups.0.links.0.to.url'],
    ['a revision', footer({ kind: 'revision', revision: 'a' }), 'footer.groups.0.links.0.to.kind'],
    ['an image', { socialPreview: { url: 'data:image/png,' } }, 'socialPreview.url'],
    ['a long text', { footer: { groups: [], copyright: 'x'.repeat(301) } }, 'footer.copyright'],
    [
      'a condition',
      { header: { preset: 'default', links: [{ title: 'A', to: null, links: [], condition: 'a b' }] } },
      'header.links.0.condition',
    ],
    ['a theme', { styling: { ...defaultCustomization.styling, theme: 'own' } }, 'styling.theme'],
    ['a font', { styling: { ...defaultCustomization.styling, font: 'Comic' } }, 'styling.font'],
    ['a part that is left out', { feedback: undefined }, 'feedback'],
  ])('names the field of a fault: %s', async (_case, changes, field) => {
    await expect(update(changes)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [expect.objectContaining({ path: `body.${field}` })],
    })
    expect(await creator().getSiteCustomizationById({ params })).toEqual(defaultCustomization)
  })

  it('leads only to what the site shows, in one call to content', async () => {
    const stray = publishing.content.aSpace('Stray')
    const page = publishing.content.add(stray, 'page')
    const own = publishing.content.add(spaces[0] ?? '', 'page')
    const cases: [unknown, string][] = [
      [{ kind: 'space', space: stray }, 'the site shows no such space'],
      [{ kind: 'page', space: stray, page }, 'the site shows no such space'],
      [{ kind: 'page', page }, 'there is no such page'],
      [{ kind: 'anchor', anchor: 'a', page: 'nothing' }, 'there is no such page'],
      [{ kind: 'file', file: own }, 'there is no such file'],
    ]
    for (const [to, message] of cases)
      await expect(update(footer({ kind: 'url', url: '#top' }, to))).rejects.toMatchObject({
        code: 'not_found',
        details: [{ path: 'body.footer.groups.0.links.1.to', message }],
      })
    const before = publishing.content.answered()
    const request = footer({ kind: 'page', page: own }, { kind: 'anchor', anchor: 'a', page: own, space: spaces[0] })
    await update(request)
    expect(publishing.content.answered()).toBe(before + 1)
    // The target of a link may be removed: then the link stays as it is, and other settings can be changed.
    publishing.content.remove(spaces[0] ?? '')
    expect(await update({ ...request, title: 'Other' })).toMatchObject({ title: 'Other' })
  })
})

describe('the customization of a space on a site', () => {
  it('inherits, overrides field by field, and inherits again', async () => {
    await update({ title: 'Ours', favicon: { emoji: '1f4d8' } })
    const own = publishing.content.add(spaces[1] ?? '', 'page')
    const changed = await override(
      { title: 'Reference', styling: { sidebar: { list: 'pill' } }, ...footer({ kind: 'page', page: own }) },
      1,
    )
    const { styling, ...rest } = defaultCustomization
    const expected = {
      ...rest,
      title: 'Reference',
      updatedAt: expect.any(String),
      favicon: { emoji: '1f4d8' },
      ...footer({ kind: 'page', page: own }),
      styling: { ...styling, sidebar: { background: 'default', list: 'pill' } },
    }
    expect(changed).toEqual(expected)
    expect(schemas.validateReply('overrideSiteSpaceCustomizationById', 200, changed)).toEqual([])
    const read = async (at: number) =>
      publishing.as('read').getSiteSpaceCustomizationById({ params: { ...params, siteSpaceId: siteSpaces[at] ?? '' } })
    expect(await read(1)).toEqual(expected)
    expect(schemas.validateReply('getSiteSpaceCustomizationById', 200, await read(1))).toEqual([])
    expect(await read(0)).toMatchObject({ title: 'Ours' })
    expect(await override({ title: null }, 1)).toEqual({ ...expected, title: 'Ours' })
    for (const _twice of [1, 2])
      await creator().deleteSiteSpaceCustomizationById({ params: { ...params, siteSpaceId: siteSpaces[1] ?? '' } })
    expect(await read(1)).toEqual(await creator().getSiteCustomizationById({ params }))
  })

  it('refuses what is the same on the whole site, and what leads nowhere', async () => {
    const refused = {
      ai: { mode: 'none' },
      pageActions: {},
      insights: {},
      advancedCustomization: {},
      styling: { font: 'Inter' },
    }
    await expect(override(refused)).rejects.toMatchObject({
      code: 'invalid_request',
      details: expect.arrayContaining(
        ['ai', 'pageActions', 'insights', 'advancedCustomization', 'styling.font'].map(field => ({
          path: `body.${field}`,
          message: 'must be left out: it is the same on the whole site',
        })),
      ),
    })
    await expect(override(footer({ kind: 'page', page: 'nothing' }))).rejects.toMatchObject({ code: 'not_found' })
  })
})

it('is changed by those who manage sites, on a site that they see', async () => {
  const body = settings() as never
  const at = { ...params, siteSpaceId: siteSpaces[0] ?? '' }
  for (const role of ['read', 'edit', 'review'] as const) {
    const client = publishing.as(role)
    await expect(client.updateSiteCustomizationById({ params, body })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(client.overrideSiteSpaceCustomizationById({ params: at, body: {} })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(client.deleteSiteSpaceCustomizationById({ params: at })).rejects.toMatchObject({ code: 'forbidden' })
  }
  for (const role of [null, undefined])
    await expect(publishing.as(role).getSiteCustomizationById({ params })).rejects.toMatchObject({ code: 'not_found' })
  const nothing = { ...params, siteSpaceId: 'nothing' }
  for (const call of [
    () => creator().getSiteSpaceCustomizationById({ params: nothing }),
    () => creator().overrideSiteSpaceCustomizationById({ params: nothing, body: {} }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'not_found' })
  expect(await creator().deleteSiteSpaceCustomizationById({ params: nothing })).toBeUndefined()
})
