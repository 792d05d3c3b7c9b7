import { contentEvents } from '@recto/contracts'
import { query } from '@recto/database'
import type { Role } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aCollection, aContent, aGrant, aSpace, organization, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => {
  content = await aContent()
  for (const user of ['ada', 'bob', 'eve']) content.people.add({ organization, user, role: 'read' })
  content.people.add({ organization, user: 'guest', role: null })
  content.people.add({ organization, user: 'boss', role: 'admin' })
  content.people.add({ organization: 'another', user: 'foreigner', role: 'read' })
  for (const team of ['reds', 'blues']) content.people.addTeam(organization, team)
  content.people.addTeam('another', 'foreign team')
})
afterAll(async () => {
  await content.stop()
})

type Client = ReturnType<ContentSetup['as']>
type Body = { role: Role | null; users?: string[]; teams?: string[] }

/** Expects that each of these attempts fails, and how. */
async function refused(attempts: Promise<unknown>[], failure: { code: string; message?: string }): Promise<void> {
  const outcomes = await Promise.allSettled(attempts)
  expect(outcomes).toEqual(attempts.map(() => ({ status: 'rejected', reason: expect.objectContaining(failure) })))
}

/** The same operations on either noun, so that each case is tested on both. */
const nouns = {
  space: {
    make: (changes: { parent?: string; defaultLevel?: null } = {}) => aSpace(content, changes),
    grant: (space: string, to: { user?: string; team?: string; role: Role }) => aGrant(content, { space, ...to }),
    invite: (client: Client, spaceId: string, body: Body) => client.inviteToSpace({ params: { spaceId }, body }),
    users: (client: Client, spaceId: string, query = {}) => client.listUserPermissionsInSpace({ params: { spaceId }, query }),
    teams: (client: Client, spaceId: string, query = {}) => client.listTeamPermissionsInSpace({ params: { spaceId }, query }),
    updateUser: (client: Client, spaceId: string, userId: string, body: { role?: Role | null }) => client.updateUserPermissionInSpace({ params: { spaceId, userId }, body }),
    updateTeam: (client: Client, spaceId: string, teamId: string, body: { role?: Role | null }) => client.updateTeamPermissionInSpace({ params: { spaceId, teamId }, body }),
    removeUser: (client: Client, spaceId: string, userId: string) => client.removeUserFromSpace({ params: { spaceId, userId } }),
    removeTeam: (client: Client, spaceId: string, teamId: string) => client.removeTeamFromSpace({ params: { spaceId, teamId } }),
    aggregate: (client: Client, spaceId: string, query: { role?: Role; limit?: number; page?: string | undefined } = {}) => client.listPermissionsAggregateInSpace({ params: { spaceId }, query }),
    event: contentEvents.spacePermissionChanged,
  },
  collection: {
    make: (changes: { parent?: string; defaultLevel?: null } = {}) => aCollection(content, changes),
    grant: (collection: string, to: { user?: string; team?: string; role: Role }) => aGrant(content, { collection, ...to }),
    invite: (client: Client, collectionId: string, body: Body) => client.inviteToCollection({ params: { collectionId }, body }),
    users: (client: Client, collectionId: string, query = {}) => client.listUserPermissionsInCollection({ params: { collectionId }, query }),
    teams: (client: Client, collectionId: string, query = {}) => client.listTeamPermissionsInCollection({ params: { collectionId }, query }),
    updateUser: (client: Client, collectionId: string, userId: string, body: { role?: Role | null }) => client.updateUserPermissionInCollection({ params: { collectionId, userId }, body }),
    updateTeam: (client: Client, collectionId: string, teamId: string, body: { role?: Role | null }) => client.updateTeamPermissionInCollection({ params: { collectionId, teamId }, body }),
    removeUser: (client: Client, collectionId: string, userId: string) => client.removeUserFromCollection({ params: { collectionId, userId } }),
    removeTeam: (client: Client, collectionId: string, teamId: string) => client.removeTeamFromCollection({ params: { collectionId, teamId } }),
    aggregate: (client: Client, collectionId: string, query: { role?: Role; limit?: number; page?: string | undefined } = {}) => client.listPermissionsAggregateInCollection({ params: { collectionId }, query }),
    event: contentEvents.collectionPermissionChanged,
  },
}

describe.each(Object.entries(nouns))('permissions on a %s', (name, on) => {
  const manager = () => content.as('create')
  const held = async (id: string) => {
    const [{ items: users }, { items: teams }] = [await on.users(manager(), id), await on.teams(manager(), id)]
    return Object.fromEntries([...users.map(({ user, permission }) => [user.id, permission]), ...teams.map(({ team, permission }) => [team.id, permission])])
  }
  const told = (id: string) =>
    query<{ payload: object }>(content.service.db, `select payload from outbox where subject = $1 and payload->>$2 = $3 order by created_at, id`, [on.event.subject, name, id])

  describe('are given', () => {
    it('to users and teams at once, in the place of what they had', async () => {
      const id = await on.make()
      await on.invite(manager(), id, { role: 'edit', users: ['ada', 'guest', 'ada'], teams: ['reds'] })
      expect(await held(id)).toEqual({ ada: 'edit', guest: 'edit', reds: 'edit' })
      await on.invite(manager(), id, { role: 'read', users: ['ada', 'bob'] })
      expect(await held(id)).toEqual({ ada: 'read', bob: 'read', guest: 'edit', reds: 'edit' })
      await on.invite(manager(), id, { role: null, users: ['ada', 'eve'], teams: ['reds'] })
      expect(await held(id)).toEqual({ bob: 'read', guest: 'edit' })
    })

    it('and count from the next request on', async () => {
      const id = await on.make({ defaultLevel: null })
      await on.grant(id, { user: 'user-create', role: 'create' })
      const see = () => (name === 'space' ? content.as(null, { user: 'guest' }).getSpaceById({ params: { spaceId: id } }) : content.as(null, { user: 'guest' }).getCollectionById({ params: { collectionId: id } }))
      await expect(see()).rejects.toMatchObject({ code: 'not_found' })
      await on.invite(manager(), id, { role: 'read', users: ['guest'] })
      expect(await see()).toMatchObject({ id, permissions: { view: true } })
      await on.removeUser(manager(), id, 'guest')
      await expect(see()).rejects.toMatchObject({ code: 'not_found' })
    })

    it('to nobody when one of them is not in the organization, and says which', async () => {
      const id = await on.make()
      const attempt = on.invite(manager(), id, { role: 'read', users: ['ada', 'foreigner', 'nobody'], teams: ['foreign team'] })
      await expect(attempt).rejects.toMatchObject({ code: 'not_found', details: [{ path: 'body.users.1' }, { path: 'body.users.2' }, { path: 'body.teams.0' }] })
      expect(await held(id)).toEqual({})
    })

    it('and told of, once', async () => {
      const id = await on.make()
      await on.invite(manager(), id, { role: 'read', users: ['ada'], teams: ['reds'] })
      await on.invite(manager(), id, { role: 'read', users: ['ada'] })
      await on.removeUser(manager(), id, 'bob')
      expect((await told(id)).map(({ payload }) => payload)).toMatchObject([{ organization, by: 'user-create', [name]: id, users: ['ada'], teams: ['reds'], defaultLevel: false }])
    })

    it.each([
      [{ role: 'owner', users: ['ada'] }, 'body.role'],
      [{ users: ['ada'] }, 'body.role'],
      [{ role: 'read' }, 'body'],
      [{ role: 'read', users: [] }, 'body.users'],
      [{ role: 'read', teams: Array.from({ length: 1001 }, (_, at) => `${at}`) }, 'body.teams'],
    ])('not for %j', async (body, path) => {
      await expect(on.invite(manager(), await on.make(), body as never)).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    })
  })

  describe('are bounded by one\'s own role', () => {
    it('nobody gives, changes or takes more than they have', async () => {
      const id = await on.make()
      for (const grant of [{ user: 'boss', role: 'admin' as const }, { team: 'reds', role: 'admin' as const }, { user: 'ada', role: 'read' as const }]) await on.grant(id, grant)
      const attempts = [
        () => on.invite(manager(), id, { role: 'admin', users: ['ada'] }),
        () => on.invite(manager(), id, { role: 'read', users: ['ada', 'boss'] }),
        () => on.updateUser(manager(), id, 'ada', { role: 'admin' }),
        () => on.updateUser(manager(), id, 'boss', { role: 'read' }),
        () => on.updateTeam(manager(), id, 'reds', { role: null }),
        () => on.removeUser(manager(), id, 'boss'),
        () => on.removeTeam(manager(), id, 'reds'),
      ]
      await refused(attempts.map(attempt => attempt()), { code: 'forbidden' })
      expect(await held(id)).toEqual({ boss: 'admin', reds: 'admin', ada: 'read' })
      await on.removeUser(content.as('admin'), id, 'boss')
      expect(await held(id)).toEqual({ reds: 'admin', ada: 'read' })
    })

    it('nobody lowers who has more by another way, but for admins, whom nothing lowers', async () => {
      const parent = await aCollection(content)
      const id = await on.make({ parent })
      await aGrant(content, { collection: parent, user: 'ada', role: 'admin' })
      await refused([on.invite(content.as('create'), id, { role: 'read', users: ['bob', 'ada'] })], { code: 'forbidden' })
      expect(await on.users(content.as('create'), id)).toMatchObject({ count: 0 })
      await on.invite(content.as('create'), id, { role: 'read', users: ['bob', 'boss'] })
      await on.invite(content.as('admin'), id, { role: 'read', users: ['ada'] })
    })

    it('it is the role on it that counts, not that in the organization', async () => {
      const id = await on.make()
      await on.grant(id, { user: 'eve', role: 'create' })
      await on.grant(id, { user: 'demoted', role: 'review' })
      await on.invite(content.as('read', { user: 'eve' }), id, { role: 'create', users: ['ada'] })
      await expect(on.invite(content.as('create', { user: 'demoted' }), id, { role: 'read', users: ['ada'] })).rejects.toMatchObject({ code: 'forbidden' })
    })

    it.each(['read', 'comment', 'edit', 'review'] as const)('as %s nothing is done or shown', async role => {
      const id = await on.make()
      await on.grant(id, { user: 'ada', role: 'read' })
      const client = content.as(role)
      const attempts = [on.invite(client, id, { role: 'read', users: ['ada'] }), on.users(client, id), on.teams(client, id), on.aggregate(client, id), on.updateUser(client, id, 'ada', { role: 'comment' }), on.updateTeam(client, id, 'reds', { role: 'read' }), on.removeUser(client, id, 'ada'), on.removeTeam(client, id, 'reds')]
      await refused(attempts, { code: 'forbidden' })
    })

    it.each([undefined, null])('as %s nothing is there', async role => {
      const id = await on.make()
      const client = content.as(role)
      const attempts = [on.invite(client, id, { role: 'read', users: ['ada'] }), on.users(client, id), on.teams(client, id), on.aggregate(client, id), on.updateUser(client, id, 'ada', { role: 'read' }), on.updateTeam(client, id, 'reds', {}), on.removeUser(client, id, 'ada'), on.removeTeam(client, id, 'reds')]
      await refused(attempts, { code: 'not_found', message: `There is no such ${name}` })
      await expect(on.users(content.as('admin'), 'nothing')).rejects.toMatchObject({ code: 'not_found', message: `There is no such ${name}` })
    })
  })

  describe('are changed', () => {
    it('for who was granted something, and kept when no role is given', async () => {
      const id = await on.make()
      for (const grant of [{ user: 'ada', role: 'read' as const }, { team: 'reds', role: 'read' as const }]) await on.grant(id, grant)
      await on.updateUser(manager(), id, 'ada', { role: 'edit' })
      await on.updateTeam(manager(), id, 'reds', { role: 'create' })
      await on.updateUser(manager(), id, 'ada', {})
      expect(await held(id)).toEqual({ ada: 'edit', reds: 'create' })
      await on.updateUser(manager(), id, 'ada', { role: null })
      await on.updateTeam(manager(), id, 'reds', { role: null })
      expect(await held(id)).toEqual({})
    })

    it('not for who was granted nothing, or is not in the organization any more', async () => {
      const id = await on.make()
      for (const grant of [{ user: 'left long ago', role: 'read' as const }, { team: 'bob', role: 'read' as const }]) await on.grant(id, grant)
      await refused([on.updateUser(manager(), id, 'bob', { role: 'edit' }), on.updateUser(manager(), id, 'left long ago', { role: 'edit' }), on.updateUser(manager(), id, 'nobody', {})], { code: 'not_found', message: 'There is no such user here' })
      await expect(on.updateTeam(manager(), id, 'reds', { role: null })).rejects.toMatchObject({ code: 'not_found', message: 'There is no such team here' })
      await expect(on.updateUser(manager(), id, 'left long ago', { role: 'owner' as never })).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body.role' }] })
    })

    it('taken again and again', async () => {
      const id = await on.make()
      for (const grant of [{ user: 'ada', role: 'read' as const }, { team: 'reds', role: 'read' as const }]) await on.grant(id, grant)
      for (let times = 0; times < 2; times++) {
        expect(await on.removeUser(manager(), id, 'ada')).toBeUndefined()
        expect(await on.removeTeam(manager(), id, 'reds')).toBeUndefined()
      }
      expect(await held(id)).toEqual({})
    })
  })

  describe('are listed', () => {
    it('with users and teams as identity shows them, newest first and page by page', async () => {
      const id = await on.make()
      for (const [at, user] of ['ada', 'bob', 'gone', 'eve'].entries()) await aGrant(content, { [name]: id, user, role: 'read', createdAt: new Date(1000 * at) } as never)
      await on.grant(id, { team: 'blues', role: 'review' })
      const first = await on.users(manager(), id, { limit: 2 })
      const second = await on.users(manager(), id, { limit: 2, page: first.next?.page })
      expect([...first.items, ...second.items].map(({ user }) => user.id)).toEqual(['eve', 'bob', 'ada'])
      expect([first.count, second.next]).toEqual([4, undefined])
      expect(first.items[0]).toEqual({ permission: 'read', user: { object: 'user', id: 'eve', displayName: 'eve', urls: expect.any(Object) } })
      const { items } = await on.teams(manager(), id)
      expect(items).toMatchObject([{ permission: 'review', team: { object: 'team', id: 'blues', spaces: expect.any(Number) } }])
    })

    it('together: everybody who sees it, by the rule, in one order', async () => {
      const outer = await aCollection(content)
      const id = await on.make({ parent: outer })
      await aGrant(content, { collection: outer, user: 'bob', role: 'review' })
      await on.grant(id, { user: 'guest', role: 'comment' })
      const everybody = [['ada', 'read'], ['bob', 'review'], ['boss', 'admin'], ['eve', 'read'], ['guest', 'comment']]
      const listed = async (query: { role?: Role } = {}) => (await on.aggregate(manager(), id, query)).items.map(({ user, permission }) => [user.id, permission])
      expect(await listed()).toEqual(everybody)
      expect(await listed({ role: 'read' })).toEqual([['ada', 'read'], ['eve', 'read']])
      const first = await on.aggregate(manager(), id, { limit: 3 })
      const second = await on.aggregate(manager(), id, { limit: 3, page: first.next?.page })
      expect([...first.items, ...second.items].map(({ user }) => user.id)).toEqual(everybody.map(([user]) => user))
      expect([first.count, second.next]).toEqual([5, undefined])
      const before = content.people.answered()
      await on.aggregate(manager(), id)
      expect(content.people.answered() - before).toBe(2)
    })

    it('to guests who may manage it too', async () => {
      const id = await on.make()
      await on.grant(id, { user: 'guest', role: 'create' })
      const guest = content.as(null, { user: 'guest' })
      expect((await on.users(guest, id)).items.map(({ user }) => user.id)).toEqual(['guest'])
      await refused([on.aggregate(guest, id)], { code: 'forbidden' })
    })
  })
})

describe('on a deleted space', () => {
  it('nothing is changed', async () => {
    const space = await aSpace(content)
    await aGrant(content, { space, user: 'ada', role: 'read' })
    await query(content.service.db, 'update spaces set deleted_at = now() where id = $1', [space])
    const { invite, updateUser, removeUser } = nouns.space
    const client = content.as('create')
    await refused([invite(client, space, { role: 'read', users: ['bob'] }), updateUser(client, space, 'ada', { role: 'edit' }), removeUser(client, space, 'ada')], { code: 'conflict' })
  })
})

describe('while identity is away', () => {
  it('nothing about people is guessed', async () => {
    const space = await aSpace(content)
    await aGrant(content, { space, user: 'ada', role: 'read' })
    await content.people.stop()
    const client = content.as('create')
    const { invite, users, aggregate, updateUser, removeUser } = nouns.space
    await refused([invite(client, space, { role: 'read', users: ['bob'] }), users(client, space), aggregate(client, space), updateUser(client, space, 'ada', { role: 'edit' })], { code: 'unavailable' })
    await removeUser(client, space, 'ada')
    await content.people.start()
    expect(await users(client, space)).toEqual({ items: [], count: 0 })
  })
})
