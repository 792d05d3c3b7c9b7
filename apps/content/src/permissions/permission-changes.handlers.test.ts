import { query } from '@recto/database'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Role } from '@recto/actor'
import { aCollection, aGrant, aSpace, type ContentSetup } from '../test/content-setup.ts'
import { aContentWithPeople, permissionOperations, expectRefused } from '../test/permission-operations.ts'

let content: ContentSetup
beforeAll(async () => (content = await aContentWithPeople()))
afterAll(() => content.stop())

const resourceKinds = permissionOperations(() => content)

describe.each(Object.entries(resourceKinds))('permissions on a %s', (name, on) => {
  const manager = () => content.as('create')
  const held = async (id: string) => {
    const { items: users } = await on.users(manager(), id)
    const { items: teams } = await on.teams(manager(), id)
    return Object.fromEntries([
      ...users.map(({ user, permission }) => [user.id, permission]),
      ...teams.map(({ team, permission }) => [team.id, permission]),
    ])
  }

  describe('are changed', () => {
    it('Permissions are changed for subjects with a grant, and kept when the request has no role', async () => {
      const id = await on.make()
      for (const grant of [
        { user: 'ada', role: 'read' as const },
        { team: 'reds', role: 'read' as const },
      ])
        await on.grant(id, grant)
      await on.updateUser(manager(), id, 'ada', { role: 'edit' })
      await on.updateTeam(manager(), id, 'reds', { role: 'create' })
      await on.updateUser(manager(), id, 'ada', {})
      expect(await held(id)).toEqual({ ada: 'edit', reds: 'create' })
      await on.updateUser(manager(), id, 'ada', { role: null })
      await on.updateTeam(manager(), id, 'reds', { role: null })
      expect(await held(id)).toEqual({})
    })

    it('Permissions are not changed for subjects without a grant or no longer in the organization', async () => {
      const id = await on.make()
      for (const grant of [
        { user: 'left long ago', role: 'read' as const },
        { team: 'bob', role: 'read' as const },
      ])
        await on.grant(id, grant)
      await expectRefused(
        [
          on.updateUser(manager(), id, 'bob', { role: 'edit' }),
          on.updateUser(manager(), id, 'left long ago', { role: 'edit' }),
          on.updateUser(manager(), id, 'nobody', {}),
        ],
        { code: 'not_found', message: 'There is no such user here' },
      )
      await expect(on.updateTeam(manager(), id, 'reds', { role: null })).rejects.toMatchObject({
        code: 'not_found',
        message: 'There is no such team here',
      })
      await expect(on.updateUser(manager(), id, 'left long ago', { role: 'owner' as never })).rejects.toMatchObject({
        code: 'invalid_request',
        details: [{ path: 'body.role' }],
      })
    })

    it('Permissions are revoked repeatedly without error', async () => {
      const id = await on.make()
      for (const grant of [
        { user: 'ada', role: 'read' as const },
        { team: 'reds', role: 'read' as const },
      ])
        await on.grant(id, grant)
      for (let times = 0; times < 2; times++) {
        expect(await on.removeUser(manager(), id, 'ada')).toBeUndefined()
        expect(await on.removeTeam(manager(), id, 'reds')).toBeUndefined()
      }
      expect(await held(id)).toEqual({})
    })
  })

  describe('are listed', () => {
    it('Permissions are listed with users and teams as identity shows them, newest first and in pages', async () => {
      const id = await on.make()
      for (const [at, user] of ['ada', 'bob', 'gone', 'eve'].entries())
        await aGrant(content, { [name]: id, user, role: 'read', createdAt: new Date(1000 * at) } as never)
      await on.grant(id, { team: 'blues', role: 'review' })
      const first = await on.users(manager(), id, { limit: 2 })
      const second = await on.users(manager(), id, { limit: 2, page: first.next?.page })
      expect([...first.items, ...second.items].map(({ user }) => user.id)).toEqual(['eve', 'bob', 'ada'])
      expect([first.count, second.next]).toEqual([4, undefined])
      expect(first.items[0]).toEqual({
        permission: 'read',
        user: { object: 'user', id: 'eve', displayName: 'eve', urls: expect.any(Object) },
      })
      const { items } = await on.teams(manager(), id)
      expect(items).toMatchObject([
        { permission: 'review', team: { object: 'team', id: 'blues', spaces: expect.any(Number) } },
      ])
    })

    it('The aggregate of permissions lists all users with a role, in one order', async () => {
      const outer = await aCollection(content)
      const id = await on.make({ parent: outer })
      await aGrant(content, { collection: outer, user: 'bob', role: 'review' })
      await on.grant(id, { user: 'guest', role: 'comment' })
      const everybody = [
        ['ada', 'read'],
        ['bob', 'review'],
        ['boss', 'admin'],
        ['eve', 'read'],
        ['guest', 'comment'],
      ]
      const listed = async (query: { role?: Role } = {}) =>
        (await on.aggregate(manager(), id, query)).items.map(({ user, permission }) => [user.id, permission])
      expect(await listed()).toEqual(everybody)
      expect(await listed({ role: 'read' })).toEqual([
        ['ada', 'read'],
        ['eve', 'read'],
      ])
      const first = await on.aggregate(manager(), id, { limit: 3 })
      const second = await on.aggregate(manager(), id, { limit: 3, page: first.next?.page })
      expect([...first.items, ...second.items].map(({ user }) => user.id)).toEqual(everybody.map(([user]) => user))
      expect([first.count, second.next]).toEqual([5, undefined])
      const before = content.people.answered()
      await on.aggregate(manager(), id)
      expect(content.people.answered() - before).toBe(2)
    })

    it('Permissions are listed to guests who may manage them', async () => {
      const id = await on.make()
      await on.grant(id, { user: 'guest', role: 'create' })
      const guest = content.as(null, { user: 'guest' })
      expect((await on.users(guest, id)).items.map(({ user }) => user.id)).toEqual(['guest'])
      await expectRefused([on.aggregate(guest, id)], { code: 'forbidden' })
    })
  })
})

describe('on a deleted space', () => {
  it('Permissions on a deleted space cannot be changed', async () => {
    const space = await aSpace(content)
    await aGrant(content, { space, user: 'ada', role: 'read' })
    await query(content.service.db, 'update spaces set deleted_at = now() where id = $1', [space])
    const { invite, updateUser, removeUser } = resourceKinds.space
    const client = content.as('create')
    await expectRefused(
      [
        invite(client, space, { role: 'read', users: ['bob'] }),
        updateUser(client, space, 'ada', { role: 'edit' }),
        removeUser(client, space, 'ada'),
      ],
      { code: 'conflict' },
    )
  })
})

describe('while identity is unavailable', () => {
  it('Requests for permissions that need identity fail while it is unavailable', async () => {
    const space = await aSpace(content)
    await aGrant(content, { space, user: 'ada', role: 'read' })
    await content.people.stop()
    const client = content.as('create')
    const { invite, users, aggregate, updateUser, removeUser } = resourceKinds.space
    await expectRefused(
      [
        invite(client, space, { role: 'read', users: ['bob'] }),
        users(client, space),
        aggregate(client, space),
        updateUser(client, space, 'ada', { role: 'edit' }),
      ],
      { code: 'unavailable' },
    )
    await removeUser(client, space, 'ada')
    await content.people.start()
    expect(await users(client, space)).toEqual({ items: [], count: 0 })
  })
})
