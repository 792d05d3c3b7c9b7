import { busClient } from '@recto/bus'
import { contentRpc } from '@recto/contracts-content-bus'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const bus = () => busClient(content.publishing, contentRpc, { service: 'content' })
const actor = () => content.actorOf('create')
const titles = async (spaceId: string) =>
  (await content.as('create').getCurrentRevision({ params: { spaceId } })).pages.map(({ title }) => title)

it('Publishing creates a space with the pages of a template', async () => {
  const body = { actor: actor(), organization, title: 'Docs', sample: false }
  const create = (id: string) =>
    bus().createSpaceOfSite({ body: { ...body, template: { id, params: { contentRefs: {} } } } })
  const { space } = await create('changelog')
  expect(space.title).toBe('Docs')
  expect((await titles(space.id)).length).toBeGreaterThan(0)
  await expect(create('nothing')).rejects.toMatchObject({ code: 'not_found' })
})

it('Publishing duplicates a space that the caller may copy', async () => {
  const spaceId = await aSpace(content, {})
  const changes = [{ operation: 'insert_page', title: 'One', document: { markdown: 'Text' } }]
  await content.as('create').updateContent({ params: { spaceId }, body: { changes } as never })
  const copy = (as: ReturnType<typeof actor>, space = spaceId) =>
    bus().duplicateSpaceOfSite({ body: { actor: as, organization, space } })
  const { space } = await copy(actor())
  expect(await titles(space.id)).toEqual(['One'])
  await expect(copy(content.actorOf('read'))).rejects.toMatchObject({ code: 'forbidden' })
  await expect(copy(actor(), 'nothing')).rejects.toMatchObject({ code: 'not_found' })
})

it('Publishing finds which targets of links a caller does not see', async () => {
  const at = { organizationId: organization }
  const collection = await content.as('create').createCollection({ params: at, body: { title: 'Docs' } })
  const targets = [
    { kind: 'collection' as const, collection: collection.id },
    { kind: 'collection' as const, collection: 'nothing' },
    { kind: 'reusable-content' as const, reusableContent: 'nothing', space: 'nothing' },
    { kind: 'reusable-content' as const, reusableContent: 'nothing' },
  ]
  const { missing } = await bus().checkTargets({ body: { actor: actor(), organization, targets } })
  expect(missing).toEqual([1, 2, 3])
})
