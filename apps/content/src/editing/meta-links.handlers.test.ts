import { visitorActor } from '@recto/actor/visitor-token'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aProposer } from '../test/a-proposer.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { as, aSpace, aTree, change, propose, edit, organization, revisionOf } = aProposer(() => content)
const schemas = replySchemas()
const url = (address: string) => ({ kind: 'url' as const, url: address })
const page = (id: string, space?: string) => ({
  kind: 'page' as const,
  page: id,
  ...(space !== undefined && { space }),
})

describe('meta links of a page', () => {
  it('Meta links are set, shown in all replies with the page, and removed', async () => {
    const { spaceId, a, b } = await aTree()
    const { spaceId: other, a: french } = await aTree()
    const metaLinks = {
      canonical: url('https://canonical.test/?a=1&copy=2'),
      alternates: [page(b), page(french, other), url('https://version.test/1')],
    }
    await change(spaceId, { operation: 'update_page', page: a, metaLinks })
    const revisionId = await revisionOf(spaceId)
    const params = { spaceId, pageId: a }
    expect(await as('read').listSpacePageMetaLinks({ params })).toEqual(metaLinks)
    expect(await as('read').listRevisionPageMetaLinks({ params: { ...params, revisionId } })).toEqual(metaLinks)
    const read = await as('read').getPageById({ params })
    expect(read).toMatchObject({ metaLinks })
    expect(read).toMatchObject({ markdown: expect.stringContaining('metaLinks:') })
    const revision = await as('read').getRevisionById({ params: { spaceId, revisionId } })
    expect(revision.pages).toMatchObject([{ metaLinks }, {}])
    expect(schemas.validateReply('getRevisionById', 200, revision)).toEqual([])
    expect(schemas.validateReply('listSpacePageMetaLinks', 200, metaLinks)).toEqual([])
    await change(spaceId, { operation: 'update_page', page: a, metaLinks: null })
    expect(await as('read').listSpacePageMetaLinks({ params })).toEqual({})
    expect((await as('read').getPageById({ params })) as object).not.toHaveProperty('metaLinks')
  })

  it('Meta links of a change request are its own until it is merged', async () => {
    const { spaceId, a } = await aTree()
    const changeRequest = await propose(spaceId)
    const metaLinks = { alternates: [url('https://fr.test/')] }
    await edit(changeRequest, { operation: 'update_page', page: a, metaLinks })
    const params = { spaceId, changeRequestId: changeRequest.id, pageId: a }
    expect(await as('read').listChangeRequestPageMetaLinks({ params })).toEqual(metaLinks)
    expect(await as('read').listSpacePageMetaLinks({ params: { spaceId, pageId: a } })).toEqual({})
    await as('review').mergeChangeRequest({ params })
    expect(await as('read').listSpacePageMetaLinks({ params: { spaceId, pageId: a } })).toEqual(metaLinks)
  })

  it('A new page names another page of its batch, and a copy of the space its own', async () => {
    const spaceId = await aSpace()
    await change(spaceId, insert('One', { ref: 'one' }), insert('Two', { metaLinks: { canonical: page('one') } }))
    const { id: copy } = await as('create').duplicateSpace({ params: { spaceId } })
    const { pages } = await as('read').listPages({ params: { spaceId: copy } })
    expect(pages).toMatchObject([
      { title: 'One' },
      { title: 'Two', metaLinks: { canonical: page(pages[0]?.id ?? '') } },
    ])
  })

  it('Meta links to a page that is not there, and those of a group, are refused with their field', async () => {
    const { spaceId, a } = await aTree()
    const revision = await revisionOf(spaceId)
    const set = (metaLinks: object) => change(spaceId, { operation: 'update_page', page: a, metaLinks } as never)
    await expect(set({ alternates: [page('nothing')] })).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: 'body.changes.0.metaLinks.alternates.0.page' }],
    })
    await expect(set({ canonical: page(a, 'nothing') })).rejects.toMatchObject({
      code: 'not_found',
      details: [{ path: 'body.changes.0.metaLinks.canonical.space' }],
    })
    await expect(set({ canonical: { kind: 'file', file: 'x' } })).rejects.toMatchObject({ code: 'invalid_request' })
    const group = insert('Group', { type: 'group', document: undefined, metaLinks: { canonical: page(a) } } as never)
    await expect(change(spaceId, group)).rejects.toMatchObject({ details: [{ path: 'body.changes.0.metaLinks' }] })
    expect(await revisionOf(spaceId)).toBe(revision)
  })

  it('A visitor gets those meta links that lead to what they see', async () => {
    const { spaceId, a, b, d } = await aTree()
    await change(
      spaceId,
      insert('Elsewhere', { type: 'link', document: undefined, href: 'http://recto.test/s/other' } as never),
      insert('Empty', { document: {} }),
      {
        operation: 'update_page',
        page: a,
        metaLinks: { canonical: page(b), alternates: [page(d), url('https://x.test/')] },
      },
      { operation: 'update_page', page: b, condition: 'visitor.claims.beta' },
    )
    const seen = { organization, site: 'site', version: 1, spaces: [spaceId], claims: {} }
    const revisionId = await revisionOf(spaceId)
    const { pages } = await content.asActor(visitorActor(seen)).getRevisionById({ params: { spaceId, revisionId } })
    expect(pages[0]).toMatchObject({ metaLinks: { alternates: [page(d), url('https://x.test/')] } })
    expect(pages[0]).not.toHaveProperty('metaLinks.canonical')
    expect(JSON.stringify(pages)).not.toContain('visitor.claims')
  })
})

describe('the look of a page', () => {
  it('Front matter sets the title in the table of contents, tags, layout and cover, as both published APIs have them', async () => {
    const spaceId = await aSpace()
    const markdown = `---
linkTitle: Short
tags: [guide, { tag: beta, primary: true }]
cover: https://images.test/a.png
coverHeight: 300
coverTextColor: { light: black, dark: white }
layout:
  cover: { size: background, mask: radial }
  tags: { visible: false }
---

# Long title
`
    await change(spaceId, { operation: 'insert_page', document: { markdown }, condition: 'true' }, insert('Other'))
    const revision = await as('read').getCurrentRevision({ params: { spaceId } })
    const tagOf = (tag: string) => ({ tag: { kind: 'tag', tag } })
    expect(revision.tags).toEqual(['beta', 'guide'].map(name => ({ slug: name, label: name, color: 'default' })))
    expect(revision.pages[0]).toMatchObject({
      linkTitle: 'Short',
      condition: 'true',
      tags: [tagOf('guide'), { ...tagOf('beta'), primary: true }],
      layout: { coverSize: 'full', coverMask: 'radial', tags: false, actions: true, anchors: true },
      cover: { height: 300, textColor: 'black', textColorDark: 'white' },
    })
    expect(revision.pages[1]).toMatchObject({ tags: [], layout: { coverMask: 'none', tags: true } })
    expect(schemas.validateReply('getCurrentRevision', 200, revision)).toEqual([])
  })
})
