import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { replySchemas } from '@recto/testing'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()

let publishing: PublishingSetup
let space: string
let siteId: string
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())
beforeEach(async () => {
  space = publishing.content.aSpace('Guides')
  const site = await publishing.as('create').createSite({ params: { organizationId: organization }, body: {} })
  siteId = site.id
})

const client = () => publishing.as('create')
const site = () => ({ organizationId: organization, siteId })
const on = (id: string) => ({ ...site(), siteSectionId: id })
const group = (id: string) => ({ ...site(), siteSectionGroupId: id })
const siteSpace = (id: string) => ({ ...site(), siteSpaceId: id })
const valid = <Reply>(operation: string, status: number, reply: Reply): Reply => {
  expect(schemas.validateReply(operation, status, reply)).toEqual([])
  return reply
}

async function aSection(title: string) {
  return client().addSectionToSite({ params: site(), body: { spaceId: publishing.content.aSpace(title), title } })
}

describe('sections', () => {
  it('are added with a space, listed in their order, updated, moved and deleted', async () => {
    const first = valid(
      'addSectionToSite',
      201,
      await client().addSectionToSite({ params: site(), body: { spaceId: space, icon: 'book' } }),
    )
    expect(first).toMatchObject({
      object: 'site-section',
      title: 'Guides',
      path: 'guides',
      default: true,
      icon: 'book',
      urls: {},
      siteSpaces: [{ object: 'site-space', section: first.id, title: 'Guides', default: true, space: { id: space } }],
    })
    const second = await aSection('Api')
    const listed = valid('listSiteSections', 200, await client().listSiteSections({ params: site() }))
    expect(listed.items.map(({ id }) => id)).toEqual([first.id, second.id])

    const body = { title: 'Reference', path: 'reference', description: 'All of it', condition: 'visitor.claims.beta' }
    const updated = valid(
      'updateSiteSectionById',
      200,
      await client().updateSiteSectionById({ params: on(second.id), body }),
    )
    expect(updated).toMatchObject({ ...body, default: false })
    const cleared = { condition: null, icon: null, description: null }
    const plain = await client().updateSiteSectionById({ params: on(second.id), body: cleared })
    expect([plain.condition, plain.description, plain.title]).toEqual([undefined, undefined, 'Reference'])

    const position = { before: { type: 'site-section' as const, siteSection: first.id } }
    const moved = await client().moveSiteSection({ params: on(second.id), body: { position } })
    expect(valid('moveSiteSection', 200, moved)).toMatchObject({ id: second.id })
    await client().deleteSiteSectionById({ params: on(second.id) })
    expect((await client().listSiteSections({ params: site() })).items.map(({ id }) => id)).toEqual([first.id])
  })

  it('are listed page by page in their order, also within groups', async () => {
    const sections = [await aSection('One'), await aSection('Two'), await aSection('Three')]
    await client().addSectionGroupToSite({
      params: site(),
      body: { title: 'G', sections: [sections[0]?.id as string] },
    })
    const seen: string[] = []
    let page: string | undefined
    do {
      const query = { limit: 1, ...(page !== undefined && { page }) }
      const sectionList = await client().listSiteSections({ params: site(), query })
      expect(sectionList.count).toBe(3)
      seen.push(...sectionList.items.map(({ title }) => title))
      page = sectionList.next?.page
    } while (page !== undefined)
    expect(seen).toEqual(['Two', 'Three', 'One'])
  })

  it('take the spaces of a site without sections as the first of them', async () => {
    await client().addSpaceToSite({ params: site(), body: { spaceId: space } })
    await aSection('Api')
    const structure = valid('getSiteStructure', 200, await client().getSiteStructure({ params: site() }))
    expect(structure).toMatchObject({
      type: 'sections',
      structure: [{ title: 'Guides', default: true, siteSpaces: [{ space: { id: space } }] }, { title: 'Api' }],
    })
  })

  it('refuse faulty input with the field', async () => {
    const { id } = await aSection('Api')
    const faults: [object, string][] = [
      [{ condition: 'if (true)' }, 'body.condition'],
      [{ path: 'Upper' }, 'body.path'],
      [{ path: 'a/b' }, 'body.path'],
      [{ path: 'v' }, 'body.path'],
      [{ title: 'x' }, 'body.title'],
      [{ defaultSiteSpace: 'nothing' }, 'body.defaultSiteSpace'],
    ]
    for (const [body, path] of faults)
      await expect(client().updateSiteSectionById({ params: on(id), body })).rejects.toMatchObject({
        code: 'invalid_request',
        details: [expect.objectContaining({ path })],
      })
    const { id: other } = await aSection('Guides')
    await expect(client().updateSiteSectionById({ params: on(other), body: { path: 'api' } })).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: 'body.path', message: 'is taken' }],
    })
    await expect(client().addSectionToSite({ params: site(), body: { spaceId: 'nothing' } })).rejects.toMatchObject({
      code: 'not_found',
      details: [{ path: 'body.spaceId' }],
    })
    await expect(client().moveSiteSection({ params: on('nothing'), body: {} })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('groups', () => {
  it('are added with sections, nested, updated, moved and deleted', async () => {
    const one = await aSection('One')
    const two = await aSection('Two')
    const outer = valid(
      'addSectionGroupToSite',
      201,
      await client().addSectionGroupToSite({
        params: site(),
        body: { title: 'Outer', sections: [one.id], icon: 'box' },
      }),
    )
    expect(outer).toMatchObject({
      object: 'site-section-group',
      title: 'Outer',
      icon: 'box',
      sections: [{ id: one.id }],
    })
    const inner = await client().addSectionGroupToSite({ params: site(), body: { title: 'Inner', parent: outer.id } })
    expect(inner.sectionGroup).toBe(outer.id)
    const filled = await client().addSectionToGroup({ params: group(inner.id), body: { sectionId: two.id } })
    expect(valid('addSectionToGroup', 201, filled).sections).toMatchObject([{ id: two.id, sectionGroup: inner.id }])
    const listed = valid('listSiteSectionGroups', 200, await client().listSiteSectionGroups({ params: site() }))
    expect(listed.items.map(({ title }) => title)).toEqual(['Outer', 'Inner'])
    expect(listed.items[0]?.children.map(({ object }) => object)).toEqual(['site-section', 'site-section-group'])

    const renamed = await client().updateSiteSectionGroupById({
      params: group(inner.id),
      body: { title: 'Within', icon: null },
    })
    expect(valid('updateSiteSectionGroupById', 200, renamed).title).toBe('Within')
    const first = { before: { type: 'site-section' as const, id: one.id } }
    const moved = await client().moveSiteSectionGroup({ params: group(inner.id), body: { position: first } })
    expect(valid('moveSiteSectionGroup', 200, moved).id).toBe(inner.id)
    const inside = { before: { type: 'site-section-group' as const, id: inner.id } }
    await expect(
      client().moveSiteSectionGroup({ params: group(outer.id), body: { position: inside } }),
    ).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body.position' }] })

    await client().removeSectionFromGroup({ params: { ...group(inner.id), siteSectionId: two.id } })
    await client().removeSectionFromGroup({ params: { ...group(inner.id), siteSectionId: two.id } })
    await client().deleteSiteSectionGroupById({ params: group(outer.id) })
    const structure = await client().getSiteStructure({ params: site() })
    expect(structure.structure.map(({ title }) => title)).toEqual(['Within', 'Two', 'One'])
  })

  it('refuse unknown sections and parents, and then change nothing', async () => {
    const { id } = await aSection('One')
    for (const body of [
      { title: 'G', sections: [id, 'nothing'] },
      { title: 'G', parent: 'nothing' },
    ])
      await expect(client().addSectionGroupToSite({ params: site(), body })).rejects.toMatchObject({
        code: 'not_found',
      })
    expect((await client().listSiteSectionGroups({ params: site() })).items).toEqual([])
  })
})

describe('spaces of sites', () => {
  it('are added, updated, moved and removed', async () => {
    const one = valid(
      'addSpaceToSite',
      201,
      await client().addSpaceToSite({ params: site(), body: { spaceId: space } }),
    )
    const two = await client().addSpaceToSite({ params: site(), body: { spaceId: space } })
    expect([one.path, two.path, one.default, two.default]).toEqual(['guides', 'guides-1', true, false])
    const other = publishing.content.aSpace('Other')
    const body = { path: 'old', condition: 'visitor.claims.old', spaceId: other }
    const updated = await client().updateSiteSpaceById({ params: siteSpace(two.id), body })
    expect(valid('updateSiteSpaceById', 200, updated)).toMatchObject({
      path: 'old',
      condition: 'visitor.claims.old',
      title: 'Other',
      space: { id: other },
    })
    const position = { before: { type: 'site-space' as const, siteSpace: one.id } }
    valid('moveSiteSpace', 200, await client().moveSiteSpace({ params: siteSpace(two.id), body: { position } }))
    const listed = valid('listSiteSpaces', 200, await client().listSiteSpaces({ params: site() }))
    expect(listed.items.map(({ id }) => id)).toEqual([two.id, one.id])
    await client().deleteSiteSpaceById({ params: siteSpace(one.id) })
    expect(await client().getSiteStructure({ params: site() })).toMatchObject({
      type: 'siteSpaces',
      structure: [{ id: two.id, default: true }],
    })
  })

  it('are sorted into other sections', async () => {
    const one = await aSection('One')
    const two = await aSection('Two')
    const moved = one.siteSpaces[0]?.id as string
    const beside = two.siteSpaces[0]?.id as string
    const item = { type: 'site-space' as const, id: moved }
    const position = { after: { type: 'site-space' as const, id: beside } }
    const sorted = await client().sortSiteStructure({ params: site(), body: { item, position } })
    expect(valid('sortSiteStructure', 200, sorted)).toMatchObject({ id: moved, section: two.id, default: false })
    for (const [type, id] of [
      ['site-section', two.id],
      ['site-section-group', 'nothing'],
    ] as const) {
      const sorting = client().sortSiteStructure({ params: site(), body: { item: { type, id }, position: {} } })
      if (id === 'nothing') await expect(sorting).rejects.toMatchObject({ code: 'not_found' })
      else expect(await sorting).toMatchObject({ id, object: type })
    }
  })

  it('are hidden from callers who cannot read them', async () => {
    await client().addSpaceToSite({ params: site(), body: { spaceId: space } })
    publishing.content.setRole(space, 'eve', null)
    const eve = publishing.as('read', 'eve')
    expect((await eve.listSiteSpaces({ params: site() })).items).toEqual([])
    expect(await eve.getSiteStructure({ params: site() })).toEqual({ type: 'siteSpaces', structure: [] })
  })

  it('have published addresses while the site is published, through a share link where that leads to them', async () => {
    const { id } = await client().addSpaceToSite({ params: site(), body: { spaceId: space } })
    await client().addSpaceToSite({ params: site(), body: { spaceId: space } })
    const { basename } = await client().publishSite({ params: site() })
    const link = await client().createSiteShareLink({ params: site(), body: { name: 'Friends' } })
    const key = new URL(link.urls.published ?? '').pathname.split('/')[1]
    const urls = async (shareKey?: string) => {
      const { items } = await client().listSiteSpaces({ params: site(), query: { shareKey } })
      const { structure } = await client().getSiteStructure({ params: site(), query: { shareKey } })
      expect(structure).toEqual(items)
      return items.map(({ urls }) => urls.published)
    }
    const address = `https://${basename}.docs.test/`
    for (const shareKey of [undefined, key]) expect(await urls(shareKey)).toEqual([address, `${address}guides-1/`])
    await client().updateSiteById({ params: site(), body: { visibility: 'share-link' } })
    expect(await urls()).toEqual([address, `${address}guides-1/`])
    expect(await urls(key)).toEqual([`${address}${key}/`, `${address}${key}/guides-1/`])
    await expect(urls('wrong')).rejects.toMatchObject({ code: 'not_found', message: 'There is no such share link' })
    expect(id).toEqual(expect.any(String))
    await client().addSectionToSite({ params: site(), body: { spaceId: space } })
    const sections = await client().listSiteSections({ params: site(), query: { shareKey: key } })
    expect(sections.items[0]?.urls.published).toBe(`${address}${key}/`)
    const wrong = client().listSiteSections({ params: site(), query: { shareKey: 'wrong' } })
    await expect(wrong).rejects.toMatchObject({ code: 'not_found', message: 'There is no such share link' })
  })
})

it('reading and changing the structure is allowed by the role in the organization', async () => {
  const { id } = await aSection('One')
  expect(await publishing.as('read').getSiteStructure({ params: site() })).toMatchObject({ type: 'sections' })
  for (const role of ['read', 'edit', 'review'] as const) {
    const reader = publishing.as(role)
    const attempts = [
      () => reader.addSectionToSite({ params: site(), body: { spaceId: space } }),
      () => reader.updateSiteSectionById({ params: on(id), body: {} }),
      () => reader.deleteSiteSectionById({ params: on(id) }),
      () => reader.addSectionGroupToSite({ params: site(), body: { title: 'G' } }),
      () => reader.addSpaceToSite({ params: site(), body: { spaceId: space } }),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' })
  }
  await expect(publishing.as(undefined).getSiteStructure({ params: site() })).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no such site',
  })
})

it('changes at once keep the structure whole', async () => {
  const titles = Array.from({ length: 12 }, (_, at) => `Section ${at}`)
  await Promise.all(titles.map(aSection))
  const { items } = await client().listSiteSections({ params: site() })
  expect(items.map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
  expect(items.filter(section => section.default)).toHaveLength(1)
  expect(new Set(items.map(({ path }) => path)).size).toBe(titles.length)
})
