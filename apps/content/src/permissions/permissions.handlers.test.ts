import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aCollection, aGrant, type ContentSetup } from '../test/content-setup.ts'
import { aContentWithPeople, permissionOperations, expectRefused } from '../test/permission-operations.ts'
import { recordedChanges } from '../test/recorded-changes.ts'

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
  const recordedOf = async (id: string) =>
    (await recordedChanges(content, { [name]: id })).filter(({ type }) => type === `${name}.permissions.updated`)

  describe('are granted', () => {
    it('Permissions are granted to users and teams at once, replacing their grants', async () => {
      const id = await on.make()
      await on.invite(manager(), id, { role: 'edit', users: ['ada', 'guest', 'ada'], teams: ['reds'] })
      expect(await held(id)).toEqual({ ada: 'edit', guest: 'edit', reds: 'edit' })
      await on.invite(manager(), id, { role: 'read', users: ['ada', 'bob'] })
      expect(await held(id)).toEqual({ ada: 'read', bob: 'read', guest: 'edit', reds: 'edit' })
      await on.invite(manager(), id, { role: null, users: ['ada', 'eve'], teams: ['reds'] })
      expect(await held(id)).toEqual({ bob: 'read', guest: 'edit' })
    })

    it('Permissions take effect from the next request on', async () => {
      const id = await on.make({ defaultLevel: null })
      await on.grant(id, { user: 'user-create', role: 'create' })
      const see = () =>
        name === 'space'
          ? content.as(null, { user: 'guest' }).getSpaceById({ params: { spaceId: id } })
          : content.as(null, { user: 'guest' }).getCollectionById({ params: { collectionId: id } })
      await expect(see()).rejects.toMatchObject({ code: 'not_found' })
      await on.invite(manager(), id, { role: 'read', users: ['guest'] })
      expect(await see()).toMatchObject({ id, permissions: { view: true } })
      await on.removeUser(manager(), id, 'guest')
      await expect(see()).rejects.toMatchObject({ code: 'not_found' })
    })

    it('Permissions are granted to nobody when one subject is not in the organization, which the error names', async () => {
      const id = await on.make()
      const attempt = on.invite(manager(), id, {
        role: 'read',
        users: ['ada', 'foreigner', 'nobody'],
        teams: ['foreign team'],
      })
      await expect(attempt).rejects.toMatchObject({
        code: 'not_found',
        details: [{ path: 'body.users.1' }, { path: 'body.users.2' }, { path: 'body.teams.0' }],
      })
      expect(await held(id)).toEqual({})
    })

    it('A grant of permissions is recorded once', async () => {
      const id = await on.make()
      await on.invite(manager(), id, { role: 'read', users: ['ada'], teams: ['reds'] })
      await on.invite(manager(), id, { role: 'read', users: ['ada'] })
      await on.removeUser(manager(), id, 'bob')
      expect(await recordedOf(id)).toMatchObject([
        { actor: { id: 'user-create' }, details: { users: ['ada'], teams: ['reds'], defaultLevel: false } },
      ])
    })

    it.each([
      [{ role: 'owner', users: ['ada'] }, 'body.role'],
      [{ users: ['ada'] }, 'body.role'],
      [{ role: 'read' }, 'body'],
      [{ role: 'read', users: [] }, 'body.users'],
      [{ role: 'read', teams: Array.from({ length: 1001 }, (_, at) => `${at}`) }, 'body.teams'],
    ])('Permissions are not granted for %j', async (body, path) => {
      await expect(on.invite(manager(), await on.make(), body as never)).rejects.toMatchObject({
        code: 'invalid_request',
        details: [{ path }],
      })
    })
  })

  describe("are bounded by one's own role", () => {
    it('Users cannot grant, change or revoke a role above their own', async () => {
      const id = await on.make()
      for (const grant of [
        { user: 'boss', role: 'admin' as const },
        { team: 'reds', role: 'admin' as const },
        { user: 'ada', role: 'read' as const },
      ])
        await on.grant(id, grant)
      const attempts = [
        () => on.invite(manager(), id, { role: 'admin', users: ['ada'] }),
        () => on.invite(manager(), id, { role: 'read', users: ['ada', 'boss'] }),
        () => on.updateUser(manager(), id, 'ada', { role: 'admin' }),
        () => on.updateUser(manager(), id, 'boss', { role: 'read' }),
        () => on.updateTeam(manager(), id, 'reds', { role: null }),
        () => on.removeUser(manager(), id, 'boss'),
        () => on.removeTeam(manager(), id, 'reds'),
      ]
      await expectRefused(
        attempts.map(attempt => attempt()),
        { code: 'forbidden' },
      )
      expect(await held(id)).toEqual({ boss: 'admin', reds: 'admin', ada: 'read' })
      await on.removeUser(content.as('admin'), id, 'boss')
      expect(await held(id)).toEqual({ reds: 'admin', ada: 'read' })
    })

    it('Users cannot lower a higher effective role, and admins cannot be lowered', async () => {
      const parent = await aCollection(content)
      const id = await on.make({ parent })
      await aGrant(content, { collection: parent, user: 'ada', role: 'admin' })
      await expectRefused([on.invite(content.as('create'), id, { role: 'read', users: ['bob', 'ada'] })], {
        code: 'forbidden',
      })
      expect(await on.users(content.as('create'), id)).toMatchObject({ count: 0 })
      await on.invite(content.as('create'), id, { role: 'read', users: ['bob', 'boss'] })
      await on.invite(content.as('admin'), id, { role: 'read', users: ['ada'] })
    })

    it('The role on the resource limits grants, not the role in the organization', async () => {
      const id = await on.make()
      await on.grant(id, { user: 'eve', role: 'create' })
      await on.grant(id, { user: 'demoted', role: 'review' })
      await on.invite(content.as('read', { user: 'eve' }), id, { role: 'create', users: ['ada'] })
      await expect(
        on.invite(content.as('create', { user: 'demoted' }), id, { role: 'read', users: ['ada'] }),
      ).rejects.toMatchObject({ code: 'forbidden' })
    })

    it.each(['read', 'comment', 'edit', 'review'] as const)('Changing permissions as %s is forbidden', async role => {
      const id = await on.make()
      await on.grant(id, { user: 'ada', role: 'read' })
      const client = content.as(role)
      const attempts = [
        on.invite(client, id, { role: 'read', users: ['ada'] }),
        on.users(client, id),
        on.teams(client, id),
        on.aggregate(client, id),
        on.updateUser(client, id, 'ada', { role: 'comment' }),
        on.updateTeam(client, id, 'reds', { role: 'read' }),
        on.removeUser(client, id, 'ada'),
        on.removeTeam(client, id, 'reds'),
      ]
      await expectRefused(attempts, { code: 'forbidden' })
    })

    it.each([undefined, null])('Changing permissions as %s is not found', async role => {
      const id = await on.make()
      const client = content.as(role)
      const attempts = [
        on.invite(client, id, { role: 'read', users: ['ada'] }),
        on.users(client, id),
        on.teams(client, id),
        on.aggregate(client, id),
        on.updateUser(client, id, 'ada', { role: 'read' }),
        on.updateTeam(client, id, 'reds', {}),
        on.removeUser(client, id, 'ada'),
        on.removeTeam(client, id, 'reds'),
      ]
      await expectRefused(attempts, { code: 'not_found', message: `There is no such ${name}` })
      await expect(on.users(content.as('admin'), 'nothing')).rejects.toMatchObject({
        code: 'not_found',
        message: `There is no such ${name}`,
      })
    })
  })
})
