import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  aCollection,
  aContent,
  aGrant,
  aSpace,
  type ContentSetup,
  organization,
  roleOn,
} from '../test/content-setup.ts'
import { recordedChanges } from '../test/recorded-changes.ts'

let content: ContentSetup
beforeAll(async () => {
  content = await aContent()
  content.people.add({ organization, user: 'ada', role: 'create' })
  content.people.add({ organization, user: 'bob', role: 'read', teams: ['chiefs', 'reds'] })
  content.people.add({ organization, user: 'chief', role: 'create', teams: ['reds'] })
  content.people.add({ organization, user: 'guest', role: null })
  for (const team of ['chiefs', 'reds']) content.people.addTeam(organization, team)
})
afterAll(() => content.stop())

const params = { organizationId: organization }
const ada = () => content.as('create', { user: 'ada' })
const admin = () => content.as('admin')
const role = (spaceId: string, client = ada(), user = 'ada') => roleOn(client, spaceId, { user })

describe("revoking a lowering grant is forbidden when the remaining role would exceed the caller's", () => {
  it.each([
    [
      'the default level of the space',
      async (spaceId: string) =>
        void (await admin().updateSpaceById({ params: { spaceId }, body: { defaultLevel: 'admin' } })),
    ],
    [
      'a grant to them further up',
      async (_space: string, collection: string) => aGrant(content, { collection, user: 'ada', role: 'admin' }),
    ],
  ])(
    'Revoking a grant that lowers a role is forbidden when the role that remains comes from %s',
    async (_what, open) => {
      const collection = await aCollection(content)
      const space = await aSpace(content, { parent: collection })
      await open(space, collection)
      await aGrant(content, { space, user: 'ada', role: 'create' })
      expect(await failure(ada().removeUserFromSpace({ params: { spaceId: space, userId: 'ada' } }))).toBe('forbidden')
      expect(
        await failure(
          ada().updateUserPermissionInSpace({ params: { spaceId: space, userId: 'ada' }, body: { role: null } }),
        ),
      ).toBe('forbidden')
      expect(
        await failure(ada().inviteToSpace({ params: { spaceId: space }, body: { role: null, users: ['ada'] } })),
      ).toBe('forbidden')
      expect(await role(space)).toBe('create')
      await admin().removeUserFromSpace({ params: { spaceId: space, userId: 'ada' } })
      expect(await role(space)).toBe('admin')
    },
  )

  it('Revoking a grant that lowers a role is forbidden for other users and their teams', async () => {
    const collection = await aCollection(content)
    const space = await aSpace(content, { parent: collection })
    await aGrant(content, { collection, team: 'chiefs', role: 'admin' })
    await aGrant(content, { space, user: 'bob', role: 'read' })
    await aGrant(content, { space, team: 'reds', role: 'read' })
    expect(await failure(ada().removeUserFromSpace({ params: { spaceId: space, userId: 'bob' } }))).toBeUndefined()
    expect(await failure(ada().removeTeamFromSpace({ params: { spaceId: space, teamId: 'reds' } }))).toBe('forbidden')
    await aGrant(content, { space, user: 'bob', role: 'comment' })
    expect(await failure(ada().removeTeamFromSpace({ params: { spaceId: space, teamId: 'reds' } }))).toBeUndefined()
    expect(await failure(ada().removeUserFromSpace({ params: { spaceId: space, userId: 'bob' } }))).toBe('forbidden')
  })

  it('Revoking two grants at once that lower a role is forbidden', async () => {
    const collection = await aCollection(content)
    const space = await aSpace(content, { parent: collection })
    await aGrant(content, { collection, user: 'chief', role: 'admin' })
    await aGrant(content, { space, user: 'chief', role: 'create' })
    await aGrant(content, { space, team: 'reds', role: 'create' })
    const chief = () => content.as('create', { user: 'chief', teams: ['reds'] })
    const taken = await Promise.all([
      failure(chief().removeUserFromSpace({ params: { spaceId: space, userId: 'chief' } })),
      failure(chief().removeTeamFromSpace({ params: { spaceId: space, teamId: 'reds' } })),
    ])
    expect(taken.toSorted()).toEqual(['forbidden', undefined])
    expect(await role(space, chief(), 'chief')).toBe('create')
  })

  it('Revoking a grant that lowers a role is allowed when no other user is affected', async () => {
    const space = await aSpace(content)
    for (const [user, role] of [
      ['boss', 'admin'],
      ['ada', 'create'],
      ['bob', 'read'],
    ] as const)
      await aGrant(content, { space, user, role })
    await content.people.stop()
    expect(await failure(ada().removeUserFromSpace({ params: { spaceId: space, userId: 'bob' } }))).toBeUndefined()
    await content.people.start()
  })

  it('The roles that remain are not checked when nothing is revoked', async () => {
    const space = await aSpace(content, { defaultLevel: 'admin' })
    await aGrant(content, { space, user: 'ada', role: 'create' })
    await aGrant(content, { space, team: 'reds', role: 'read' })
    expect(await failure(ada().removeUserFromSpace({ params: { spaceId: space, userId: 'guest' } }))).toBeUndefined()
  })
})

describe('the role of a user with a higher role cannot be changed', () => {
  it('The role of a user with a higher role cannot be changed by a grant to their team', async () => {
    const collection = await aCollection(content)
    const space = await aSpace(content, { parent: collection })
    await aGrant(content, { collection, user: 'bob', role: 'admin' })
    expect(
      await failure(ada().inviteToSpace({ params: { spaceId: space }, body: { role: 'read', teams: ['reds'] } })),
    ).toBe('forbidden')
    expect(
      await failure(ada().inviteToSpace({ params: { spaceId: space }, body: { role: 'read', users: ['bob'] } })),
    ).toBe('forbidden')
    await aGrant(content, { space, user: 'bob', role: 'admin' })
    expect(
      await failure(ada().inviteToSpace({ params: { spaceId: space }, body: { role: 'read', teams: ['reds'] } })),
    ).toBeUndefined()
  })
})

describe('changing the default level to inherit cannot raise a role above that of the caller', () => {
  it.each([
    ['ada', 'who asks'],
    ['bob', 'somebody else'],
  ])('Changing the default level to inherit cannot raise the role of %s, %s', async user => {
    const collection = await aCollection(content)
    await aGrant(content, { collection, user, role: 'admin' })
    const space = await aSpace(content, { parent: collection, defaultLevel: 'create' })
    const inner = await aCollection(content, { parent: collection, defaultLevel: 'create' })
    expect(
      await failure(ada().updateSpaceById({ params: { spaceId: space }, body: { defaultLevel: 'inherit' } })),
    ).toBe('forbidden')
    expect(
      await failure(ada().updateCollectionById({ params: { collectionId: inner }, body: { defaultLevel: 'inherit' } })),
    ).toBe('forbidden')
    expect((await admin().getSpaceById({ params: { spaceId: space } })).defaultLevel).toBe('create')
    await aGrant(content, { space, user, role: 'create' })
    expect(
      await failure(ada().updateSpaceById({ params: { spaceId: space }, body: { defaultLevel: 'inherit' } })),
    ).toBeUndefined()
  })
})

describe('a move raises no role', () => {
  it('A move raises no role except that of the creator who moves a space into their own collection', async () => {
    const collection = await aCollection(content)
    await aGrant(content, { collection, user: 'ada', role: 'admin' })
    const { id: own } = await ada().createSpace({ params, body: {} })
    await ada().moveSpace({ params: { spaceId: own }, body: { parent: collection } })
    expect(await role(own)).toBe('admin')
    expect(
      await failure(ada().moveSpace({ params: { spaceId: await aSpace(content) }, body: { parent: collection } })),
    ).toBe('forbidden')
  })

  it("A move does not give all members a default level that exceeds the mover's role", async () => {
    const collection = await aCollection(content, { defaultLevel: 'admin' })
    await aGrant(content, { collection, user: 'ada', role: 'create' })
    const spaceId = await aSpace(content)
    const collectionId = await aCollection(content)
    expect(await failure(ada().moveSpace({ params: { spaceId }, body: { parent: collection } }))).toBe('forbidden')
    expect(await failure(ada().moveCollection({ params: { collectionId }, body: { parent: collection } }))).toBe(
      'forbidden',
    )
    const inside = await aSpace(content, { parent: collection })
    await ada().moveSpace({ params: { spaceId: inside }, body: { parent: null } })
    await admin().moveSpace({ params: { spaceId }, body: { parent: collection } })
    expect(await role(spaceId, content.as('read', { user: 'reader' }), 'reader')).toBe('admin')
  })

  it("A move does not raise the mover's role by closing the target collection", async () => {
    const { id: mine } = await ada().createCollection({ params, body: {} })
    const spaceId = await aSpace(content)
    await ada().moveSpace({ params: { spaceId }, body: { parent: mine } })
    await ada().updateCollectionById({ params: { collectionId: mine }, body: { defaultLevel: null } })
    expect(await role(spaceId)).toBe('create')
    expect(await failure(ada().updateSpaceById({ params: { spaceId }, body: { defaultLevel: 'admin' } }))).toBe(
      'forbidden',
    )
  })
})

describe('closing, deleting and restoring raise no role', () => {
  it("Closing a space keeps the creator's grant on it", async () => {
    const { id: spaceId } = await ada().createSpace({ params, body: {} })
    await aGrant(content, { space: spaceId, user: 'ada', role: 'read' })
    await content.as('create').updateSpaceById({ params: { spaceId }, body: { defaultLevel: null } })
    expect(await role(spaceId)).toBe('read')
  })

  it('Closing a collection with a token that is limited to it leaves its creator their role', async () => {
    const { id: collectionId } = await ada().createCollection({ params, body: {} })
    const limitedTo = { spaces: [], collections: [collectionId], sites: [] }
    const limited = content.asActor({ ...content.actorOf('create', { user: 'ada' }), limitedTo })
    await limited.updateCollectionById({ params: { collectionId }, body: { defaultLevel: null } })
    const { permissions } = await ada().getCollectionById({ params: { collectionId } })
    expect(permissions).toMatchObject({ view: true, create: true })
  })

  it('A user who restores a space of a deleted collection keeps their role, and the change is recorded', async () => {
    const closed = await aCollection(content, { defaultLevel: null })
    await aGrant(content, { collection: closed, user: 'guest', role: 'create' })
    const nested = await aCollection(content, { parent: closed })
    const spaceId = await aSpace(content, { parent: nested })
    const guest = content.as(null, { user: 'guest' })
    await guest.deleteCollectionById({ params: { collectionId: nested } })
    await guest.restoreSpace({ params: { spaceId } })
    expect(await role(spaceId, guest, 'guest')).toBe('create')
    expect((await recordedChanges(content, { space: spaceId })).slice(-1)).toMatchObject([
      { type: 'space.permissions.updated', details: { users: ['guest'], teams: [], defaultLevel: true } },
    ])
  })

  it('A user who restores or copies a space with a default level above their role does not become its admin', async () => {
    const collection = await aCollection(content, { defaultLevel: 'admin' })
    await aGrant(content, { collection, user: 'ada', role: 'create' })
    const inherits = await aSpace(content, { parent: collection })
    await ada().deleteCollectionById({ params: { collectionId: collection } })
    expect(await ada().restoreSpace({ params: { spaceId: inherits } })).toMatchObject({ defaultLevel: 'create' })
    const open = await aSpace(content, { defaultLevel: 'admin' })
    await aGrant(content, { space: open, user: 'ada', role: 'create' })
    await ada().deleteSpaceById({ params: { spaceId: open } })
    expect(await ada().restoreSpace({ params: { spaceId: open } })).toMatchObject({ defaultLevel: 'admin' })
    const copy = await ada().duplicateSpace({ params: { spaceId: open } })
    expect(copy).toMatchObject({ defaultLevel: 'create' })
    for (const spaceId of [inherits, open, copy.id]) expect(await role(spaceId)).toBe('create')
    expect(await admin().duplicateSpace({ params: { spaceId: open } })).toMatchObject({ defaultLevel: 'admin' })
  })

  it.each([
    ['a closed space', async (parent: string) => aSpace(content, { parent, defaultLevel: null })],
    [
      'a space on which they have less',
      async (parent: string) => {
        const space = await aSpace(content, { parent })
        await aGrant(content, { space, user: 'ada', role: 'read' })
        return space
      },
    ],
    [
      'a space in a closed collection',
      async (parent: string) => aSpace(content, { parent: await aCollection(content, { parent, defaultLevel: null }) }),
    ],
  ])('A collection is not deleted with %s', async (_what, put) => {
    const collectionId = await aCollection(content)
    const spaceId = await put(collectionId)
    expect(await failure(ada().deleteCollectionById({ params: { collectionId } }))).toBe('forbidden')
    expect((await admin().getSpaceById({ params: { spaceId } })).deletedAt).toBeUndefined()
    await admin().deleteCollectionById({ params: { collectionId } })
    expect((await admin().getSpaceById({ params: { spaceId } })).deletedAt).toBeDefined()
  })
})

describe('a guest who manages', () => {
  it('A guest who manages a resource cannot grant to users that they cannot see', async () => {
    const space = await aSpace(content)
    await aGrant(content, { space, user: 'guest', role: 'create' })
    await aGrant(content, { space, team: 'reds', role: 'read' })
    const invite = (body: { role: 'comment'; users?: string[]; teams?: string[] }) =>
      content.as(null, { user: 'guest' }).inviteToSpace({ params: { spaceId: space }, body })
    const unknown = { code: 'not_found', details: [expect.objectContaining({ message: 'is not in the organization' })] }
    await expect(invite({ role: 'comment', users: ['bob'] })).rejects.toMatchObject(unknown)
    await expect(invite({ role: 'comment', users: ['nobody'] })).rejects.toMatchObject(unknown)
    await expect(invite({ role: 'comment', teams: ['chiefs'] })).rejects.toMatchObject(unknown)
    await invite({ role: 'comment', teams: ['reds'] })
  })
})
