import type { Role } from '@recto/actor'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SpaceEntity } from './space.entity.ts'
import {
  aCollection,
  aContent,
  aGrant,
  aSpace,
  type ContentSetup,
  importInto,
  organization,
} from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const as = (role: Role | null | undefined, who?: { user: string }) => content.as(role, who)
const admin = () => as('admin')
const day = 86_400_000

/** The children of a collection, or of the root, in order. */
async function order(parent: string | null): Promise<string[]> {
  const table = (name: string) =>
    `select id, position from ${name} where organization_id = $1 and parent is not distinct from $2 and deleted_at is null`
  const rows: { id: string }[] = await content.service.db.query(
    `select id from (${table('spaces')} union all ${table('collections')}) all_of_them order by position, id`,
    [organization, parent],
  )
  return rows.map(({ id }) => id)
}

describe('a space that is deleted', () => {
  it('A deleted space is hidden from lists, readable for those who could restore it, and read-only', async () => {
    const spaceId = await aSpace(content)
    await as('create').deleteSpaceById({ params: { spaceId } })
    expect(
      (
        await admin().listSpacesInOrganizationById({ params: { organizationId: organization }, query: { limit: 1000 } })
      ).items.map(({ id }) => id),
    ).not.toContain(spaceId)
    expect(await as('create').getSpaceById({ params: { spaceId } })).toMatchObject({ deletedAt: expect.any(String) })
    expect(await failure(as('edit').getSpaceById({ params: { spaceId } }))).toBe('not_found')
    const writes = [
      admin().moveSpace({ params: { spaceId }, body: { parent: null } }),
      admin().duplicateSpace({ params: { spaceId } }),
      content.calls.findGitSpace({ body: { spaceId, actor: content.actorOf('admin'), use: 'change' } }),
    ]
    expect(await Promise.all(writes.map(failure))).toEqual(writes.map(() => 'conflict'))
  })

  it('A space is deleted by those with the right, and deleting a missing or unreadable one does nothing', async () => {
    const spaceId = await aSpace(content)
    expect(await failure(as('review').deleteSpaceById({ params: { spaceId } }))).toBe('forbidden')
    for (const nobody of [as(undefined), as(null)]) await nobody.deleteSpaceById({ params: { spaceId } })
    expect((await admin().getSpaceById({ params: { spaceId } })).deletedAt).toBeUndefined()
    await admin().deleteSpaceById({ params: { spaceId } })
    const { deletedAt } = await admin().getSpaceById({ params: { spaceId } })
    await admin().deleteSpaceById({ params: { spaceId } })
    await admin().deleteSpaceById({ params: { spaceId: 'nothing' } })
    expect(await admin().getSpaceById({ params: { spaceId } })).toMatchObject({ deletedAt })
  })

  it('A deleted space is restored to the end of its collection, within seven days', async () => {
    const collectionId = await aCollection(content)
    const first = await aSpace(content, { parent: collectionId })
    const second = await aSpace(content, { parent: collectionId })
    await admin().deleteSpaceById({ params: { spaceId: first } })
    expect(await failure(as('edit').restoreSpace({ params: { spaceId: first } }))).toBe('not_found')
    const restored = await as('create').restoreSpace({ params: { spaceId: first } })
    expect([restored.deletedAt, restored.parent]).toEqual([undefined, collectionId])
    expect(await order(collectionId)).toEqual([second, first])
    expect(await as('create').restoreSpace({ params: { spaceId: first } })).toEqual(restored)
    const late = await aSpace(content, { deletedAt: new Date(Date.now() - 7 * day - 1000) })
    expect(await failure(admin().restoreSpace({ params: { spaceId: late } }))).toBe('conflict')
  })

  it('A space of a deleted collection is restored to the root, no more open than it was there', async () => {
    const closed = await aCollection(content, { defaultLevel: null })
    const nested = await aCollection(content, { parent: closed })
    const spaceId = await aSpace(content, { parent: nested })
    await admin().deleteCollectionById({ params: { collectionId: closed } })
    expect(await admin().getSpaceById({ params: { spaceId } })).toMatchObject({ deletedAt: expect.any(String) })
    const restored = await admin().restoreSpace({ params: { spaceId } })
    expect([restored.parent, restored.defaultLevel]).toEqual([undefined, null])
    expect(await failure(as('create').getSpaceById({ params: { spaceId } }))).toBe('not_found')
  })
})

describe('a collection that is deleted', () => {
  it('A collection is deleted with everything in it, however deep, but for what was deleted before', async () => {
    const collectionId = await aCollection(content)
    const nested = await aCollection(content, { parent: collectionId })
    const space = await aSpace(content, { parent: collectionId })
    const deep = await aSpace(content, { parent: nested })
    const before = new Date(Date.now() - day)
    const gone = await aSpace(content, { parent: nested, deletedAt: before })
    expect(await failure(as('edit').deleteCollectionById({ params: { collectionId } }))).toBe('forbidden')
    await as(undefined).deleteCollectionById({ params: { collectionId } })
    await as('create').deleteCollectionById({ params: { collectionId } })
    await as('create').deleteCollectionById({ params: { collectionId } })
    for (const id of [collectionId, nested])
      expect(await failure(admin().getCollectionById({ params: { collectionId: id } }))).toBe('not_found')
    const deletions = await Promise.all(
      [space, deep, gone].map(async spaceId => (await admin().getSpaceById({ params: { spaceId } })).deletedAt),
    )
    expect(deletions).toEqual([expect.any(String), deletions[0], before.toISOString()])
    expect(
      await failure(admin().createSpace({ params: { organizationId: organization }, body: { parent: nested } })),
    ).toBe('not_found')
  })
})

describe('a copy of a space', () => {
  it('A copy of a space has the content and settings of the space, and no history', async () => {
    const collectionId = await aCollection(content)
    const spaceId = await aSpace(content, { parent: collectionId })
    await importInto(content, spaceId, { pages: { one: '# One\n', 'one/two': '# Two\n' } })
    await aGrant(content, { space: spaceId, user: 'guest', role: 'read' })
    const copy = await as('create').duplicateSpace({ params: { spaceId } })
    expect(copy).toMatchObject({ title: 'Untitled (copy)', parent: collectionId })
    expect(copy.gitSync).toBeUndefined()
    expect(await order(collectionId)).toEqual([spaceId, copy.id])
    const pages = await as('read').listPages({ params: { spaceId: copy.id } })
    expect(pages.pages.map(({ title }) => title)).toEqual(['Page one'])
    expect(await as('read').getCurrentRevision({ params: { spaceId: copy.id } })).toMatchObject({ parents: [] })
    expect(await failure(as(null, { user: 'guest' }).getSpaceById({ params: { spaceId: copy.id } }))).toBe('not_found')
    await importInto(content, spaceId, { pages: { three: '# Three\n' } })
    expect((await as('read').listPages({ params: { spaceId: copy.id } })).pages).toHaveLength(1)
    expect(await failure(as('review').duplicateSpace({ params: { spaceId } }))).toBe('forbidden')
    expect(await failure(as(undefined).duplicateSpace({ params: { spaceId } }))).toBe('not_found')
  })
})

describe('a move', () => {
  it('A move puts spaces and collections among their siblings', async () => {
    const collectionId = await aCollection(content)
    const a = await aSpace(content, { parent: collectionId })
    const b = await aCollection(content, { parent: collectionId })
    const c = await aSpace(content, { parent: collectionId })
    await as('create').moveSpace({
      params: { spaceId: c },
      body: { position: { before: { type: 'space', space: a } } },
    })
    expect(await order(collectionId)).toEqual([c, a, b])
    await as('create').moveCollection({
      params: { collectionId: b },
      body: { position: { after: { type: 'space', space: c }, before: { type: 'space', space: a } } },
    })
    expect(await order(collectionId)).toEqual([c, b, a])
    expect(await as('create').moveSpace({ params: { spaceId: c }, body: { position: {} } })).toMatchObject({
      id: c,
      parent: collectionId,
    })
    expect(await order(collectionId)).toEqual([b, a, c])
  })

  it('A move puts spaces and collections into another collection or to the root', async () => {
    const from = await aCollection(content)
    const to = await aCollection(content)
    const spaceId = await aSpace(content, { parent: from })
    const nested = await aCollection(content, { parent: from })
    expect(await as('create').moveSpace({ params: { spaceId }, body: { parent: to } })).toMatchObject({
      parent: to,
      visibility: 'in-collection',
    })
    expect((await as('create').moveSpace({ params: { spaceId }, body: { parent: null } })).parent).toBeUndefined()
    expect(await as('create').moveCollection({ params: { collectionId: nested }, body: { parent: to } })).toMatchObject(
      { parent: to },
    )
    expect([await order(from), await order(to)]).toEqual([[], [nested]])
  })

  it('A move that changes nothing is rejected', async () => {
    const collectionId = await aCollection(content)
    const spaceId = await aSpace(content, { parent: collectionId })
    expect(await failure(admin().moveSpace({ params: { spaceId }, body: { parent: collectionId } }))).toBe('conflict')
    expect(await failure(admin().moveSpace({ params: { spaceId }, body: {} }))).toBe('invalid_request')
    expect(
      await failure(
        admin().moveSpace({ params: { spaceId }, body: { position: { before: { type: 'space', space: 'nothing' } } } }),
      ),
    ).toBe('invalid_request')
  })

  it('A move needs create on the resource and in the target', async () => {
    const closed = await aCollection(content, { defaultLevel: 'read' })
    const open = await aCollection(content)
    const spaceId = await aSpace(content, { parent: open })
    await aGrant(content, { space: spaceId, user: 'maker', role: 'create' })
    expect(await failure(as('create').moveSpace({ params: { spaceId }, body: { parent: closed } }))).toBe('forbidden')
    expect(await failure(as('edit').moveSpace({ params: { spaceId }, body: { parent: null } }))).toBe('forbidden')
    expect(await failure(as(null, { user: 'maker' }).moveSpace({ params: { spaceId }, body: { position: {} } }))).toBe(
      'forbidden',
    )
    expect(await failure(as('create').moveSpace({ params: { spaceId }, body: { parent: 'nothing' } }))).toBe(
      'not_found',
    )
    expect(await failure(as(undefined).moveSpace({ params: { spaceId }, body: { parent: null } }))).toBe('not_found')
  })

  it('A move never puts a collection into itself, also with concurrent moves into each other', async () => {
    const outer = await aCollection(content)
    const nested = await aCollection(content, { parent: outer })
    await expect(
      admin().moveCollection({ params: { collectionId: outer }, body: { parent: outer } }),
    ).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body.parent' }] })
    expect(await failure(admin().moveCollection({ params: { collectionId: outer }, body: { parent: nested } }))).toBe(
      'invalid_request',
    )
    for (let turn = 0; turn < 10; turn += 1) {
      const one = await aCollection(content)
      const two = await aCollection(content)
      const codes = await Promise.all([
        failure(admin().moveCollection({ params: { collectionId: one }, body: { parent: two } })),
        failure(admin().moveCollection({ params: { collectionId: two }, body: { parent: one } })),
      ])
      expect(codes.toSorted()).toEqual(['invalid_request', undefined])
    }
  })

  it('Moves by ten concurrent clients keep all of a thousand siblings, each with its own position', async () => {
    const collectionId = await aCollection(content)
    const ids: string[] = []
    for (let count = 0; count < 100; count += 1)
      ids.push(...(await Promise.all(Array.from({ length: 10 }, () => aSpace(content, { parent: collectionId })))))
    const mover = async (seed: number) => {
      for (let turn = 0; turn < 8; turn += 1) {
        const spaceId = ids[(seed * 7 + turn * 3) % 30] ?? ''
        const anchor = ids[(seed * 50 + turn * 110 + 1) % 1000] ?? ''
        if (spaceId !== anchor)
          await failure(
            admin().moveSpace({
              params: { spaceId },
              body: { position: { before: { type: 'space', space: anchor } } },
            }),
          )
      }
    }
    await Promise.all(Array.from({ length: 10 }, (_, seed) => mover(seed)))
    const rows = await content.service.db.find(SpaceEntity, { where: { parent: collectionId } })
    expect(new Set(rows.map(({ position }) => position)).size).toBe(1000)
    const listed = await admin().listSpacesInCollectionById({ params: { collectionId }, query: { limit: 1000 } })
    expect(listed.items.map(({ id }) => id)).toEqual(await order(collectionId))
  })
})
