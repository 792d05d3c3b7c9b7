import { query } from '@recto/database'
import { roles, type Role } from '@recto/actor'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aCollection, aContent, aGrant, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'
import { recordedChanges } from '../test/recorded-changes.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const params = { organizationId: organization }
const missing = { code: 'not_found', message: 'There is no such collection' }
const spacesIn = async (collectionId: string, role: Role | null = 'read', who = {}) => {
  const { items, count } = await content.as(role, who).listSpacesInCollectionById({ params: { collectionId } })
  expect(count).toBe(items.length)
  return items.map(({ id }) => id)
}

describe('createCollection', () => {
  it('createCollection creates a collection that inherits, with or without a title', async () => {
    const collection = await content.as('create').createCollection({ params, body: { title: 'Guides' } })
    expect(collection).toEqual({
      object: 'collection',
      id: expect.any(String),
      title: 'Guides',
      organization,
      defaultLevel: 'inherit',
      urls: { location: `http://recto.test/v1/collections/${collection.id}`, app: expect.any(String) },
      permissions: { view: true, admin: true, viewInviteLinks: false, create: true },
    })
    expect(await content.as('admin').createCollection({ params })).toMatchObject({
      title: 'Untitled',
      permissions: { admin: true, viewInviteLinks: true },
    })
  })

  it.each(roles)('createCollection as %s succeeds from the role create on', async role => {
    const attempt = content.as(role).createCollection({ params, body: {} })
    if (role === 'create' || role === 'admin') expect(await attempt).toMatchObject({ object: 'collection' })
    else await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('createCollection uses the role on the parent, not the role in the organization', async () => {
    const parent = await aCollection(content)
    await aGrant(content, { collection: parent, user: 'ada', role: 'create' })
    await aGrant(content, { collection: parent, user: 'bob', role: 'review' })
    for (const role of ['read', null] as const)
      expect(await content.as(role, { user: 'ada' }).createCollection({ params, body: { parent } })).toMatchObject({
        parent,
        permissions: { create: true },
      })
    await expect(
      content.as('create', { user: 'bob' }).createCollection({ params, body: { parent } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('createCollection reports not_found for a parent that is missing, deleted, unreadable or in another organization', async () => {
    const closed = await aCollection(content, { defaultLevel: null })
    const deleted = await aCollection(content, { deletedAt: new Date() })
    for (const parent of ['nothing', closed, deleted]) {
      const message = 'body.parent: is not a collection of the organization'
      const refusal = { code: 'not_found', message, details: [{ path: 'body.parent' }] }
      await expect(content.as('create').createCollection({ params, body: { parent } })).rejects.toMatchObject(refusal)
      await expect(content.as('create').createSpace({ params, body: { parent } })).rejects.toMatchObject(refusal)
    }
    await expect(content.as(undefined).createCollection({ params })).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([
    [{ title: 'x'.repeat(51) }, 'body.title'],
    [{ parent: 1 }, 'body.parent'],
  ])('createCollection refuses %j', async (body, path) => {
    await expect(content.as('create').createCollection({ params, body: body as never })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path }],
    })
  })
})

describe('a space in a collection', () => {
  it('A space in a collection shows its collection to those who can read it', async () => {
    const parent = await aCollection(content)
    const { id } = await content.as('create').createSpace({ params, body: { parent } })
    expect(await content.as('read').getSpaceById({ params: { spaceId: id } })).toMatchObject({
      parent,
      visibility: 'in-collection',
    })
  })

  it('A space in a collection is readable by a user with a grant on it, while its collection is not', async () => {
    const parent = await aCollection(content)
    const space = await aSpace(content, { parent })
    await aGrant(content, { space, user: 'guest', role: 'edit' })
    const guest = content.as(null, { user: 'guest' })
    const reply = await guest.getSpaceById({ params: { spaceId: space } })
    expect(reply).toMatchObject({ id: space, permissions: { edit: true } })
    expect(reply).not.toHaveProperty('parent')
    expect(await guest.listSpacesInOrganizationById({ params })).toEqual({ items: [reply], count: 1 })
    await expect(guest.getCollectionById({ params: { collectionId: parent } })).rejects.toMatchObject(missing)
    await expect(guest.listSpacesInCollectionById({ params: { collectionId: parent } })).rejects.toMatchObject(missing)
  })

  it('A space in a collection inherits the role granted on a collection above it', async () => {
    const top = await aCollection(content)
    const space = await aSpace(content, { parent: await aCollection(content, { parent: top }) })
    await aGrant(content, { collection: top, team: 'reds', role: 'review' })
    const permissionsOf = async (role: Role | null) =>
      (await content.as(role, { user: 'ada', teams: ['reds'] }).getSpaceById({ params: { spaceId: space } }))
        .permissions
    for (const role of [null, 'read', 'create'] as const)
      expect(await permissionsOf(role)).toMatchObject({ review: true, triggerGitSync: false })
    expect(await permissionsOf('admin')).toMatchObject({ admin: true })
  })
})

describe('getCollectionById', () => {
  it('getCollectionById returns a collection to users who can read it, and not_found to others', async () => {
    const collectionId = await aCollection(content, { defaultLevel: null })
    await aGrant(content, { collection: collectionId, user: 'ada', role: 'read' })
    for (const client of [content.as('admin'), content.as(null, { user: 'ada' })])
      expect(await client.getCollectionById({ params: { collectionId } })).toMatchObject({
        id: collectionId,
        defaultLevel: null,
      })
    for (const role of ['create', null, undefined] as const)
      await expect(content.as(role).getCollectionById({ params: { collectionId } })).rejects.toMatchObject(missing)
    await expect(content.as('admin').getCollectionById({ params: { collectionId: 'nothing' } })).rejects.toMatchObject(
      missing,
    )
  })

  it('getCollectionById reports not_found for a deleted collection', async () => {
    const collectionId = await aCollection(content, { deletedAt: new Date() })
    await expect(content.as('admin').getCollectionById({ params: { collectionId } })).rejects.toMatchObject(missing)
  })
})

describe('listSpacesInCollectionById', () => {
  it('listSpacesInCollectionById lists its readable direct spaces in the order of creation, page by page', async () => {
    const collection = await aCollection(content)
    const spaces = [
      await aSpace(content, { parent: collection }),
      await aSpace(content, { parent: collection }),
      await aSpace(content, { parent: collection }),
    ]
    const closed = await aSpace(content, { parent: collection, defaultLevel: null })
    await aSpace(content, { parent: collection, deletedAt: new Date() })
    await aSpace(content, { parent: await aCollection(content, { parent: collection }) })
    expect(await spacesIn(collection)).toEqual(spaces)
    expect(await spacesIn(collection, 'admin')).toEqual([...spaces, closed])
    const first = await content
      .as('read')
      .listSpacesInCollectionById({ params: { collectionId: collection }, query: { limit: 2 } })
    const second = await content
      .as('read')
      .listSpacesInCollectionById({ params: { collectionId: collection }, query: { limit: 2, page: first.next?.page } })
    expect([...first.items, ...second.items].map(({ id, parent }) => [id, parent])).toEqual(
      spaces.map(id => [id, collection]),
    )
    expect([first.count, second.next]).toEqual([3, undefined])
  })

  it('listSpacesInCollectionById assigns different positions to ten concurrently created spaces', async () => {
    const collection = await aCollection(content)
    await Promise.all(Array.from({ length: 10 }, () => aSpace(content, { parent: collection })))
    const positions = await query<{ position: string }>(
      content.service.db,
      'select position from spaces where parent = $1',
      [collection],
    )
    expect(new Set(positions.map(({ position }) => position)).size).toBe(10)
  })
})

describe('listCollectionsInOrganizationById', () => {
  const listIds = async (
    role: Role | null,
    { nested, ...who }: { nested?: 'true' | 'false'; user?: string; teams?: string[] } = {},
  ) => {
    const { items, count } = await content
      .as(role, who)
      .listCollectionsInOrganizationById({ params, query: { limit: 1000, ...(nested && { nested }) } })
    expect(count).toBe(items.length)
    return items.map(({ id, parent }) => [id, parent])
  }

  it('listCollectionsInOrganizationById lists nested collections by default, and hides unreadable parents', async () => {
    const outer = await aCollection(content)
    const inner = await aCollection(content, { parent: outer })
    await aGrant(content, { collection: inner, user: 'guest', role: 'read' })
    expect(await listIds('read')).toEqual(
      expect.arrayContaining([
        [inner, outer],
        [outer, undefined],
      ]),
    )
    const top = await listIds('read', { nested: 'false' })
    expect(top).toContainEqual([outer, undefined])
    expect(top.map(([id]) => id)).not.toContain(inner)
    for (const nested of ['true', 'false'] as const)
      expect(await listIds(null, { user: 'guest', nested })).toEqual([[inner, undefined]])
    await expect(content.as(undefined).listCollectionsInOrganizationById({ params })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('updateCollectionById', () => {
  const update = (collectionId: string, role: Role, body: object, user = `user-${role}`) =>
    content.as(role, { user }).updateCollectionById({ params: { collectionId }, body })

  it('updateCollectionById changes the fields in the request, clears null fields and keeps the others', async () => {
    const id = await aCollection(content)
    expect(await update(id, 'create', { title: 'Guides', description: 'For all' })).toMatchObject({
      title: 'Guides',
      description: 'For all',
      defaultLevel: 'inherit',
    })
    const cleared = await update(id, 'create', { description: null, defaultLevel: 'read' })
    expect(cleared).toMatchObject({ title: 'Guides', defaultLevel: 'read' })
    expect(cleared).not.toHaveProperty('description')
    expect(await update(id, 'admin', {})).toMatchObject({ title: 'Guides', defaultLevel: 'read' })
  })

  it.each(['read', 'comment', 'edit', 'review'] as const)('updateCollectionById is forbidden as %s', async role => {
    await expect(update(await aCollection(content), role, { title: 'Mine' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it("updateCollectionById cannot give a role above the caller's, even by inherit", async () => {
    const outer = await aCollection(content, { defaultLevel: 'admin' })
    const inner = await aCollection(content, { parent: outer, defaultLevel: 'read' })
    await aGrant(content, { collection: inner, user: 'ada', role: 'create' })
    for (const defaultLevel of ['admin', 'inherit'])
      await expect(update(inner, 'read', { defaultLevel }, 'ada')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await update(inner, 'read', { defaultLevel: 'create' }, 'ada')).toMatchObject({ defaultLevel: 'create' })
    expect(await update(inner, 'admin', { defaultLevel: 'inherit' })).toMatchObject({ defaultLevel: 'inherit' })
    expect(await update(inner, 'read', { defaultLevel: 'inherit', title: 'As before' }, 'ada')).toMatchObject({
      title: 'As before',
    })
  })

  it('updateCollectionById grants the creator of a closed collection their previous role, even if another user closes it', async () => {
    content.people.add({ organization, user: 'maker' })
    const { id } = await content.as('create', { user: 'maker' }).createCollection({ params })
    expect(await update(id, 'create', { defaultLevel: null }, 'other')).toMatchObject({
      permissions: { view: false, admin: false, create: false },
    })
    expect(
      await content.as('read', { user: 'maker' }).getCollectionById({ params: { collectionId: id } }),
    ).toMatchObject({ permissions: { view: true, admin: false, create: false } })
    await expect(
      content.as('create', { user: 'other' }).getCollectionById({ params: { collectionId: id } }),
    ).rejects.toMatchObject(missing)
  })

  it('updateCollectionById grants nothing to the creator of a closed collection who has left the organization', async () => {
    const { id } = await content.as('create', { user: 'leaver' }).createCollection({ params })
    await update(id, 'admin', { defaultLevel: null })
    await expect(
      content.as('create', { user: 'leaver' }).getCollectionById({ params: { collectionId: id } }),
    ).rejects.toMatchObject(missing)
  })

  it('updateCollectionById records the changed fields, and nothing when nothing changed', async () => {
    const { id } = await content
      .as('create', { user: 'teller' })
      .createCollection({ params, body: { title: 'Guides' } })
    await update(id, 'create', { title: 'Guides' }, 'teller')
    await update(id, 'create', { title: 'Manuals', defaultLevel: null }, 'teller')
    expect(await recordedChanges(content, { collection: id })).toMatchObject([
      { type: 'collection.created', organization, actor: { id: 'teller' }, details: { parent: null } },
      { type: 'collection.updated', details: { fields: ['title', 'defaultLevel'] } },
      { type: 'collection.permissions.updated', details: { users: ['teller'], teams: [], defaultLevel: true } },
    ])
  })

  it.each([
    [{ title: 'x'.repeat(51) }, 'body.title'],
    [{ description: 'x'.repeat(101) }, 'body.description'],
    [{ defaultLevel: 'owner' }, 'body.defaultLevel'],
  ])('updateCollectionById refuses %j', async (body, path) => {
    await expect(update(await aCollection(content), 'admin', body)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path }],
    })
  })
})
