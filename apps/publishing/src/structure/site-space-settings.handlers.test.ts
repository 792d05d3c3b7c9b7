import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
const valid = (operation: string, reply: unknown, status = 200) =>
  expect(schemas.validateReply(operation, status, reply)).toEqual([])

let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

let space: string
let params: { organizationId: string; siteId: string }
beforeEach(async () => {
  space = publishing.content.aSpace('Manual')
  const at = { organizationId: organization }
  params = { ...at, siteId: (await client().createSite({ params: at, body: {} })).id }
})
const client = () => publishing.as('create')
const add = (body: object = {}) => client().addSpaceToSite({ params, body: { spaceId: space, ...body } })
const update = (siteSpaceId: string, body: object) =>
  client().updateSiteSpaceById({ params: { ...params, siteSpaceId }, body })

describe('a space of a site', () => {
  it('has a title, a page and a language of its own there', async () => {
    const pageId = publishing.content.add(space, 'page')
    const added = await add({ title: 'Version 2', pageId, draft: true })
    valid('addSpaceToSite', added, 201)
    expect(added).toMatchObject({ title: 'Version 2', path: 'version-2', pageId, draft: true, hidden: false })
    const changes = { title: null, localizedTitle: { de: 'Handbuch', 'zh-tw': '手冊' }, hidden: true, draft: false }
    const changed = await update(added.id, changes)
    valid('updateSiteSpaceById', changed)
    expect(changed).toMatchObject({ ...changes, title: 'Manual', pageId })
    const plain = await update(added.id, { localizedTitle: null, pageId: null, hidden: false })
    expect([plain.localizedTitle, plain.pageId, plain.hidden]).toEqual([undefined, undefined, false])
  })

  it('loses its page with its space', async () => {
    const other = publishing.content.aSpace('Other')
    const pageId = publishing.content.add(space, 'page')
    const { id } = await add({ pageId })
    expect((await update(id, { spaceId: space })).pageId).toBe(pageId)
    expect((await update(id, { spaceId: other })).pageId).toBeUndefined()
    const next = publishing.content.add(space, 'page')
    expect((await update(id, { spaceId: space, pageId: next })).pageId).toBe(next)
  })

  it.each<[object, string, string]>([
    [{ pageId: 'nothing' }, 'body.pageId', 'not_found'],
    [{ spaceId: null, pageId: 'a' }, 'body.pageId', 'invalid_request'],
    [{ template: { id: 'guide' } }, 'body.template', 'invalid_request'],
    [{ title: 'x' }, 'body.title', 'invalid_request'],
  ])('is not added with %j', async (body, path, code) => {
    await expect(add(body)).rejects.toMatchObject({ code, details: [expect.objectContaining({ path })] })
    expect((await client().listSiteSpaces({ params })).items).toEqual([])
  })

  it('is refused a page of another space, and languages that are none', async () => {
    const { id } = await add()
    const pageId = publishing.content.add(publishing.content.aSpace('Other'), 'page')
    await expect(update(id, { pageId })).rejects.toMatchObject({ details: [{ path: 'body.pageId' }] })
    for (const localizedTitle of [{ klingon: 'x' }, { de: 'x'.repeat(129) }])
      await expect(update(id, { localizedTitle })).rejects.toMatchObject({ code: 'invalid_request' })
    expect((await client().listSiteSpaces({ params })).items).toMatchObject([{ title: 'Manual' }])
  })
})

describe('a space that a site creates', () => {
  it('is empty, or has the pages of a template', async () => {
    const added = await add({ spaceId: null, title: 'News' })
    expect(added).toMatchObject({ title: 'News', space: { title: 'News' } })
    const section = await client().addSectionToSite({ params, body: { spaceId: null, template: { id: 'guide' } } })
    valid('addSectionToSite', section, 201)
    expect(section).toMatchObject({ title: 'Docs (guide)', siteSpaces: [{ space: { title: 'Docs (guide)' } }] })
  })

  it('is not made where the site has no place for it', async () => {
    const before = publishing.content.answered()
    await expect(add({ spaceId: null, sectionId: 'nothing' })).rejects.toMatchObject({ code: 'not_found' })
    const body = { spaceId: null, siteSectionGroupId: 'nothing' }
    await expect(client().addSectionToSite({ params, body })).rejects.toMatchObject({
      code: 'not_found',
      details: [expect.objectContaining({ path: 'body.siteSectionGroupId' })],
    })
    expect(publishing.content.answered()).toBe(before)
  })
})

describe('a copy of a space of a site', () => {
  const duplicate = (siteSpaceId: string, body?: object) =>
    client().duplicateSiteSpace({ params: { ...params, siteSpaceId }, body: body as never })

  it('is a variant beside it, with its settings', async () => {
    const pageId = publishing.content.add(space, 'page')
    const { id } = await add({ pageId })
    await add({ title: 'Last' })
    await update(id, { condition: 'visitor.claims.beta', localizedTitle: { de: 'Handbuch' }, hidden: true })
    const at = { ...params, siteSpaceId: id }
    await client().overrideSiteSpaceCustomizationById({ params: at, body: { title: 'Other' } })
    const copy = await duplicate(id, { draft: true })
    expect(schemas.validateReply('duplicateSiteSpace', 201, copy)).toEqual([])
    expect(copy).toMatchObject({
      title: 'Manual (copy)',
      path: 'manual-1',
      condition: 'visitor.claims.beta',
      localizedTitle: { de: 'Handbuch' },
      hidden: true,
      draft: true,
      default: false,
      pageId,
    })
    const { items } = await client().listSiteSpaces({ params })
    expect(items.map(({ title }) => title)).toEqual(['Manual', 'Manual (copy)', 'Last'])
    const look = await client().getSiteSpaceCustomizationById({ params: { ...params, siteSpaceId: copy.id } })
    expect(look.title).toBe('Other')
  })

  it('is in a section of its own if it is the only variant of its section', async () => {
    const first = await client().addSectionToSite({ params, body: { spaceId: space, icon: 'book' } })
    await client().addSectionToSite({ params, body: { spaceId: space, title: 'Last' } })
    const settings = { condition: 'visitor.claims.beta', localizedTitle: { de: 'Handbuch' } }
    await client().updateSiteSectionById({ params: { ...params, siteSectionId: first.id }, body: settings })
    const copy = await duplicate(first.siteSpaces[0]?.id ?? '')
    const { items } = await client().listSiteSections({ params })
    expect(items.map(({ title }) => title)).toEqual(['Manual', 'Manual (copy)', 'Last'])
    expect(items[1]).toMatchObject({
      ...settings,
      icon: 'book',
      draft: false,
      default: false,
      siteSpaces: [{ id: copy.id }],
    })
  })

  it('is made by those who may copy the space', async () => {
    const { id } = await add()
    const at = { ...params, siteSpaceId: id }
    for (const role of ['read', 'edit'] as const)
      await expect(publishing.as(role).duplicateSiteSpace({ params: at, body: {} })).rejects.toMatchObject({
        code: 'forbidden',
      })
    await expect(duplicate('nothing')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the template of a site', () => {
  it('fills an empty one with sections, and no other', async () => {
    expect(await client().applyTemplateToSite({ params })).toBeUndefined()
    const { items } = await client().listSiteSections({ params })
    expect(items.map(({ title, icon }) => [title, icon])).toEqual([
      ['Documentation', 'book-open'],
      ['API reference', 'code'],
      ['Changelog', 'clock-rotate-left'],
    ])
    await expect(client().applyTemplateToSite({ params })).rejects.toMatchObject({ code: 'conflict' })
    await expect(publishing.as('edit').applyTemplateToSite({ params })).rejects.toMatchObject({ code: 'forbidden' })
  })
})
