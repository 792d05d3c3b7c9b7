import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentRpc } from '@recto/contracts-content-bus'
import { query } from '@recto/database'
import { eventually, replySchemas } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { anEditor, insert } from '../test/an-editor.ts'
import { aContent, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'
import { fillPlaces } from './fill-places.ts'

let content: ContentSetup
const editor = anEditor(() => content)
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const text = (markdown: string) => ({ document: { markdown } })
const search = (spaceId: string, query: string) =>
  content.as('read').searchSpaceContent({ params: { spaceId }, query: { query } })
const ancestorsOf = async (spaceId: string, query: string) =>
  (await search(spaceId, query)).items.map(({ ancestors }) => ancestors?.map(({ title }) => title))

/** The page Ocelot at `guide/cats/ocelot`, with a description, in a space that can be searched. */
async function aTree(): Promise<string> {
  const spaceId = await aSpace(content)
  await editor.change(
    spaceId,
    insert('Guide', { ref: 'guide' }),
    insert('Cats', { ref: 'cats', into: 'guide' }),
    insert('Ocelot', { into: 'cats', description: 'A wild cat.', ...text('It is spotted.') }),
  )
  await eventually(async () => expect((await search(spaceId, 'spotted')).count).toBe(1))
  return spaceId
}

it('A hit shows the description of its page and the titles of those above it, from the root', async () => {
  const spaceId = await aTree()
  const hits = await search(spaceId, 'spotted')
  expect(hits.items).toMatchObject([
    {
      title: 'Ocelot',
      description: 'A wild cat.',
      rank: 1,
      resultType: 'section',
      ancestors: [{ title: 'Guide' }, { title: 'Cats' }],
    },
  ])
  expect((await search(spaceId, 'guide')).items[0]).toMatchObject({ title: 'Guide', resultType: 'page', ancestors: [] })
  expect(replySchemas().validateReply('searchSpaceContent', 200, hits)).toEqual([])
})

it('The pages above a hit follow renames and moves', async () => {
  const spaceId = await aTree()
  const cats = await editor.idOf(spaceId, 'guide/cats')
  await editor.change(spaceId, { operation: 'update_page', page: cats, title: 'Felines' })
  await eventually(async () => expect(await ancestorsOf(spaceId, 'spotted')).toEqual([['Guide', 'Felines']]))
  await editor.change(spaceId, { operation: 'update_page', page: cats, into: null })
  await eventually(async () => expect(await ancestorsOf(spaceId, 'spotted')).toEqual([['Felines']]))
})

it('A visitor sees above a hit no page that a condition hides, also before the search knows it', async () => {
  const spaceId = await aTree()
  const bus = busClient(content.publishing, contentRpc, { service: 'content' })
  const searchAs = async (claims: object) => {
    const actor = visitorActor({ organization, site: 'site', version: 1, spaces: [spaceId], claims: { ...claims } })
    const body = { actor, organization, spaces: [spaceId], query: 'spotted', list: 'list' }
    const { items } = await bus.searchSpaces({ body, query: {} })
    return items.flatMap(({ pages }) => pages.map(({ ancestors }) => ancestors?.map(({ title }) => title)))
  }
  expect(await searchAs({})).toEqual([['Guide', 'Cats']])
  const guide = await editor.idOf(spaceId, 'guide')
  await content.service.db.transaction(async db => {
    await query(db, 'select from main_projections where space_id = $1 for update', [spaceId])
    await editor.change(spaceId, {
      operation: 'update_page',
      page: guide,
      title: 'Secret',
      condition: 'visitor.claims.beta',
    })
    expect(JSON.stringify([await searchAs({}), await searchAs({ beta: true })])).not.toMatch(/Secret|Guide/)
  })
  await eventually(async () => expect(await searchAs({ beta: true })).toEqual([['Secret', 'Cats']]))
  expect(await searchAs({})).toEqual([])
})

it('Pages that the version before indexed get their place without another index of their text', async () => {
  const spaceId = await aTree()
  const { db } = content.service
  await query(db, 'update search_pages set description = null, parent = null where space_id = $1', [spaceId])
  expect((await search(spaceId, 'spotted')).items).toMatchObject([{ description: '', ancestors: [] }])
  await db.transaction(tx => fillPlaces(tx as never, spaceId))
  expect((await search(spaceId, 'spotted')).items).toMatchObject([
    { description: 'A wild cat.', ancestors: [{ title: 'Guide' }, { title: 'Cats' }] },
  ])
})
