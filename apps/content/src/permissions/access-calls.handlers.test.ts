import { roles, type Role } from '@recto/actor'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  aCollection,
  aContent,
  actorWith,
  aGrant,
  aSpace,
  type ContentSetup,
  organization,
} from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const viewer = { user: 'boss', role: 'admin' as const, teams: [] }
const emptyRequest = { organization, viewer, members: [], teams: [] }

describe('countSpaces', () => {
  it('countSpaces counts the spaces that each member and guest can read, and those that each team was granted', async () => {
    const open = await aSpace(content)
    const closed = await aSpace(content, { defaultLevel: null })
    const deleted = await aSpace(content, { deletedAt: new Date() })
    for (const space of [open, closed, deleted]) await aGrant(content, { space, team: 'writers', role: 'edit' })
    await aGrant(content, { space: closed, user: 'guest', role: 'read' })
    const members = [
      { user: 'admin', role: 'admin' as const, teams: [] },
      { user: 'member', role: 'read' as const, teams: [] },
      { user: 'writer', role: 'read' as const, teams: ['writers', 'others'] },
      { user: 'guest', role: null, teams: [] },
      { user: 'stranger to all', role: null, teams: [] },
    ]
    expect(
      await content.access.countSpaces({ body: { ...emptyRequest, members, teams: ['writers', 'others', 'writers'] } }),
    ).toEqual({
      members: { admin: 2, member: 1, writer: 2, guest: 1, 'stranger to all': 0 },
      teams: { writers: 2, others: 0 },
    })
  })

  it('countSpaces counts the spaces that inherit a grant on a collection', async () => {
    const collection = await aCollection(content, { defaultLevel: null })
    const inner = await aCollection(content, { parent: collection })
    for (const parent of [collection, inner]) await aSpace(content, { parent })
    await aSpace(content, { parent: inner, defaultLevel: null })
    await aGrant(content, { collection, team: 'collectors', role: 'read' })
    const body = {
      ...emptyRequest,
      members: [{ user: 'collector', role: null, teams: ['collectors'] }],
      teams: ['collectors'],
    }
    expect(await content.access.countSpaces({ body })).toEqual({ members: { collector: 2 }, teams: { collectors: 2 } })
  })

  it('countSpaces counts no spaces that the viewer cannot read', async () => {
    const hidden = await aSpace(content, { defaultLevel: null })
    const shared = await aSpace(content, { defaultLevel: null })
    for (const space of [hidden, shared]) await aGrant(content, { space, team: 'insiders', role: 'read' })
    await aGrant(content, { space: shared, user: 'onlooker', role: 'read' })
    const body = {
      ...emptyRequest,
      members: [{ user: 'insider', role: null, teams: ['insiders'] }],
      teams: ['insiders'],
    }
    expect(await content.access.countSpaces({ body })).toEqual({ members: { insider: 2 }, teams: { insiders: 2 } })
    const viewer = { user: 'onlooker', role: null, teams: [] }
    expect(await content.access.countSpaces({ body: { ...body, viewer } })).toEqual({
      members: { insider: 1 },
      teams: { insiders: 1 },
    })
  })

  it('countSpaces counts nothing for empty requests and for another organization', async () => {
    expect(await content.access.countSpaces({ body: emptyRequest })).toEqual({ members: {}, teams: {} })
    const foreign = {
      ...emptyRequest,
      organization: 'another',
      members: [{ user: 'ada', role: 'admin' as const, teams: [] }],
      teams: ['writers'],
    }
    expect(await content.access.countSpaces({ body: foreign })).toEqual({ members: { ada: 0 }, teams: { writers: 0 } })
  })

  it('countSpaces accepts at most a thousand members with teams in one call', async () => {
    const members = Array.from({ length: 1000 }, (_, at) => ({
      user: `user ${at}`,
      role: at % 2 === 0 ? ('edit' as const) : null,
      teams: [`team ${at % 7}`],
    }))
    const space = await aSpace(content, { defaultLevel: null })
    await aGrant(content, { space, team: 'team 3', role: 'read' })
    const { members: counted } = await content.access.countSpaces({ body: { ...emptyRequest, members } })
    expect(Object.keys(counted)).toHaveLength(1000)
    expect((counted['user 3'] ?? 0) - (counted['user 1'] ?? 0)).toBe(1)
    await expect(
      content.access.countSpaces({
        body: { ...emptyRequest, members: [...members, { user: 'one more', role: null, teams: [] }] },
      }),
    ).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('findInvitedSpace', () => {
  const ask = (space: string, role: Role | null | undefined, level: Role | null = null, of = organization) =>
    content.access.findInvitedSpace({ body: { actor: actorWith(role), organization: of, space, level } })

  it('findInvitedSpace returns the space as the actor sees it, with their role', async () => {
    const space = await aSpace(content)
    expect(await ask(space, 'create')).toMatchObject({
      role: 'create',
      space: { object: 'space', id: space, permissions: { triggerGitSync: true, viewInviteLinks: false } },
    })
  })

  it.each<[Role, Role | null, string]>([
    ...roles.slice(0, 4).map(role => [role, null, 'forbidden'] as [Role, null, string]),
    ['review', 'read', 'forbidden'],
    ['create', null, 'found'],
    ['create', 'create', 'found'],
    ['create', 'admin', 'forbidden'],
    ['admin', 'admin', 'found'],
  ])('An invite to a space as %s to grant %s is %s', async (role, level, expected) => {
    const response = ask(await aSpace(content), role, level)
    if (expected === 'found') expect(await response).toMatchObject({ role })
    else await expect(response).rejects.toMatchObject({ code: expected })
  })

  it('findInvitedSpace uses the role on the space, not the role in the organization', async () => {
    const space = await aSpace(content)
    await aGrant(content, { space, user: 'user-read', role: 'create' })
    await aGrant(content, { space, user: 'user-create', role: 'edit' })
    expect(await ask(space, 'read', 'review')).toMatchObject({ role: 'create' })
    await expect(ask(space, 'create')).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('findInvitedSpace reports not_found for what is unreadable, deleted or in another organization', async () => {
    const space = await aSpace(content)
    const missing = { code: 'not_found', message: 'There is no such space' }
    await expect(ask('nothing', 'admin')).rejects.toMatchObject(missing)
    for (const role of [null, undefined]) await expect(ask(space, role)).rejects.toMatchObject(missing)
    await expect(ask(space, 'admin', null, 'another')).rejects.toMatchObject(missing)
    await expect(ask(await aSpace(content, { deletedAt: new Date() }), 'admin')).rejects.toMatchObject(missing)
  })
})

describe('findInvitedCollection', () => {
  const ask = (collection: string, role: Role | null | undefined, level: Role | null = null, of = organization) =>
    content.access.findInvitedCollection({ body: { actor: actorWith(role), organization: of, collection, level } })

  it('findInvitedCollection returns the collection as the actor sees it, with their role', async () => {
    const collection = await aCollection(content)
    await aGrant(content, { collection, user: 'user-read', role: 'create' })
    expect(await ask(collection, 'read')).toMatchObject({
      role: 'create',
      collection: { object: 'collection', id: collection, permissions: { create: true, viewInviteLinks: false } },
    })
  })

  it('findInvitedCollection rejects a level above the role on the collection, and any level below create', async () => {
    const collection = await aCollection(content)
    await expect(ask(collection, 'create', 'admin')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(ask(collection, 'review')).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('findInvitedCollection reports not_found for what is unreadable, deleted or in another organization', async () => {
    const collection = await aCollection(content)
    const missing = { code: 'not_found', message: 'There is no such collection' }
    await expect(ask('nothing', 'admin')).rejects.toMatchObject(missing)
    for (const role of [null, undefined]) await expect(ask(collection, role)).rejects.toMatchObject(missing)
    await expect(ask(collection, 'admin', null, 'another')).rejects.toMatchObject(missing)
    await expect(ask(await aCollection(content, { deletedAt: new Date() }), 'admin')).rejects.toMatchObject(missing)
  })
})

describe('grantCollection', () => {
  const grant = (collection: string, level: Role, of = organization) =>
    content.access.grantCollection({ body: { organization: of, collection, user: 'invited', standing: null, level } })

  it('grantCollection allows a guest to read its spaces from the next request on, and never lowers a grant', async () => {
    const collection = await aCollection(content)
    const space = await aSpace(content, { parent: collection })
    for (const level of ['edit', 'read'] as const) await grant(collection, level)
    expect(await content.as(null, { user: 'invited' }).getSpaceById({ params: { spaceId: space } })).toMatchObject({
      parent: collection,
      permissions: { edit: true, merge: false },
    })
  })

  it('grantCollection does not grant on a collection that is missing, deleted or in another organization', async () => {
    await expect(grant('nothing', 'read')).rejects.toMatchObject({ code: 'not_found' })
    await expect(grant(await aCollection(content), 'read', 'another')).rejects.toMatchObject({ code: 'not_found' })
    await expect(grant(await aCollection(content, { deletedAt: new Date() }), 'read')).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('grantSpace', () => {
  const grant = (
    space: string,
    user: string,
    level: Role,
    standing: { role: Role | null; teams: string[] } | null = null,
  ) => content.access.grantSpace({ body: { organization, space, user, standing, level } })
  const seenAs = async (spaceId: string, user: string) =>
    (await content.as(null, { user }).getSpaceById({ params: { spaceId } })).permissions

  it('grantSpace allows a guest to read the space from the next request on, and is idempotent', async () => {
    const space = await aSpace(content, { defaultLevel: null })
    await expect(seenAs(space, 'guest')).rejects.toMatchObject({ code: 'not_found' })
    for (let times = 0; times < 2; times++) await grant(space, 'guest', 'comment')
    expect(await seenAs(space, 'guest')).toMatchObject({ view: true, comment: true, edit: false })
  })

  it('grantSpace raises a grant and never lowers one', async () => {
    const space = await aSpace(content)
    await grant(space, 'riser', 'edit')
    await grant(space, 'riser', 'read')
    expect(await seenAs(space, 'riser')).toMatchObject({ edit: true, merge: false })
    await grant(space, 'riser', 'review')
    expect(await seenAs(space, 'riser')).toMatchObject({ merge: true })
  })

  it.each<[string, Role | null, string[]]>([
    ['an admin', 'admin', []],
    ['a member who creates', 'create', []],
    ['a guest whose team edits', null, ['editors']],
  ])('grantSpace does not lower %s, who has a higher role already', async (name, role, teams) => {
    const space = await aSpace(content)
    await aGrant(content, { space, team: 'editors', role: 'edit' })
    await grant(space, name, 'read', { role, teams })
    expect(
      (await content.as(role, { user: name, teams }).getSpaceById({ params: { spaceId: space } })).permissions,
    ).toMatchObject({ edit: true })
    await grant(space, 'reader', 'review', { role: 'read', teams: [] })
    expect(
      (await content.as('read', { user: 'reader' }).getSpaceById({ params: { spaceId: space } })).permissions,
    ).toMatchObject({ merge: true })
  })

  it('grantSpace grants no access to users outside the organization', async () => {
    const space = await aSpace(content)
    await grant(space, 'stranger', 'admin')
    await expect(
      content.as(undefined, { user: 'stranger' }).getSpaceById({ params: { spaceId: space } }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  it('grantSpace does not grant on a space that is deleted or in another organization', async () => {
    const body = {
      organization: 'another',
      space: await aSpace(content),
      user: 'guest',
      standing: null,
      level: 'read' as const,
    }
    await expect(content.access.grantSpace({ body })).rejects.toMatchObject({ code: 'not_found' })
    await expect(grant(await aSpace(content, { deletedAt: new Date() }), 'guest', 'read')).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(grant('nothing', 'guest', 'read')).rejects.toMatchObject({ code: 'not_found' })
  })
})
