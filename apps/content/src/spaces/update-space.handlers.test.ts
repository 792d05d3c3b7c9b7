import type { Role } from '@recto/actor'
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
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const params = { organizationId: organization }
const icon = 'https://example.com/icon.png'
const update = (spaceId: string, role: Role | null | undefined, body: object, user = `user-${role}`) =>
  content.as(role, { user }).updateSpaceById({ params: { spaceId }, body })

describe('updateSpaceById', () => {
  it('updateSpaceById changes the fields in the request, clears null fields and keeps the others', async () => {
    const id = await aSpace(content)
    const changed = await update(id, 'create', { title: 'Manual', language: 'en', editMode: 'locked' })
    expect(changed).toMatchObject({ title: 'Manual', language: 'en', editMode: 'locked', permissions: { edit: true } })
    const again = await update(id, 'create', { language: null, editMode: 'live' })
    expect(again).toMatchObject({ title: 'Manual', editMode: 'live', permissions: { edit: true } })
    expect(again).not.toHaveProperty('language')
    expect(await update(id, 'create', {})).toEqual(again)
  })

  it('updateSpaceById shows an emoji or an icon, and the usual emoji without either', async () => {
    const id = await aSpace(content)
    expect(await update(id, 'create', { icon })).toMatchObject({ emoji: '1f4d8', urls: { icon } })
    for (const symbol of ['👨‍👩‍👧', '🇩🇪', '1️⃣', '1f468-200d-1f469'])
      expect(await update(id, 'create', { emoji: symbol, mergeRules: { type: 'inherit' } })).toMatchObject({
        emoji: symbol,
      })
    const emoji = await update(id, 'create', { emoji: '1f680' })
    expect([emoji.emoji, emoji.urls]).toEqual(['1f680', { location: expect.any(String), app: expect.any(String) }])
    expect(await update(id, 'create', { emoji: null, icon: null })).toMatchObject({ emoji: '1f4d8' })
  })

  it.each(['read', 'comment', 'edit', 'review'] as const)('updateSpaceById is forbidden as %s', async role => {
    const id = await aSpace(content)
    for (const body of [{ title: 'Mine' }, { editMode: 'locked' }, { defaultLevel: 'read' }, {}])
      await expect(update(id, role, body)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it.each([null, undefined])('updateSpaceById reports not_found as %s', async role => {
    await expect(update(await aSpace(content), role, { title: 'Mine' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no such space',
    })
  })

  it('updateSpaceById uses the role on the space, not the role in the organization', async () => {
    const id = await aSpace(content)
    await aGrant(content, { space: id, user: 'ada', role: 'create' })
    await aGrant(content, { space: id, user: 'bob', role: 'review' })
    expect(await update(id, null, { title: 'A guest names it' }, 'ada')).toMatchObject({ title: 'A guest names it' })
    await expect(update(id, 'create', { title: 'Mine' }, 'bob')).rejects.toMatchObject({ code: 'forbidden' })
  })

  it("updateSpaceById cannot raise a role above the caller's, even by inherit", async () => {
    const parent = await aCollection(content, { defaultLevel: 'admin' })
    const id = await aSpace(content, { parent, defaultLevel: 'read' })
    await aGrant(content, { space: id, user: 'ada', role: 'create' })
    for (const defaultLevel of ['admin', 'inherit'])
      await expect(update(id, 'read', { defaultLevel }, 'ada')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await update(id, 'read', { defaultLevel: 'create' }, 'ada')).toMatchObject({ defaultLevel: 'create' })
    expect(await update(id, 'admin', { defaultLevel: 'inherit' })).toMatchObject({ defaultLevel: 'inherit' })
  })

  it('An update that closes a space makes its creator admin, if they are still in the organization', async () => {
    content.people.add({ organization, user: 'maker' })
    const createSpaceOf = async (user: string) => (await content.as('create', { user }).createSpace({ params })).id
    const id = await createSpaceOf('maker')
    const orphan = await createSpaceOf('leaver')
    expect(await update(id, 'create', { defaultLevel: null }, 'other')).toMatchObject({ permissions: { view: false } })
    expect(await content.as(null, { user: 'maker' }).getSpaceById({ params: { spaceId: id } })).toMatchObject({
      permissions: { view: true, viewInviteLinks: false },
    })
    expect(await roleOn(content.as(null, { user: 'maker' }), id, { user: 'maker' })).toBe('admin')
    await update(orphan, 'admin', { defaultLevel: null })
    for (const [user, spaceId] of [
      ['other', id],
      ['leaver', orphan],
    ] as const)
      await expect(content.as('create', { user }).getSpaceById({ params: { spaceId } })).rejects.toMatchObject({
        code: 'not_found',
      })
  })

  it('An update that closes a space fails while identity cannot check the membership of its creator', async () => {
    const { id } = await content.as('create', { user: 'maker' }).createSpace({ params })
    await content.people.stop()
    await expect(update(id, 'admin', { defaultLevel: null })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await update(id, 'create', { defaultLevel: null }, 'maker')).toMatchObject({ defaultLevel: null })
    expect(await roleOn(content.as('create', { user: 'maker' }), id, { user: 'maker' })).toBe('admin')
    await content.people.start()
  })

  it('updateSpaceById records the changed fields, and nothing when nothing changed', async () => {
    const { id } = await content.as('create', { user: 'teller' }).createSpace({ params, body: { title: 'Guides' } })
    await update(id, 'create', { title: 'Guides' }, 'teller')
    await update(id, 'create', { title: 'Manuals', defaultLevel: null }, 'teller')
    expect(await recordedChanges(content, { space: id })).toMatchObject([
      { type: 'space.created', organization, actor: { id: 'teller' }, details: { parent: null } },
      { type: 'space.updated', details: { fields: ['title', 'defaultLevel'] } },
      { type: 'space.permissions.updated', details: { users: ['teller'], teams: [], defaultLevel: true } },
    ])
  })

  it('updateSpaceById sets the rules that merges must pass, whose users are in the organization', async () => {
    const id = await aSpace(content)
    content.people.add({ organization, user: 'reviewer' })
    const rules = (user: string) => ({
      mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [user] }] },
    })
    expect(await update(id, 'create', rules('reviewer'))).toMatchObject(rules('reviewer'))
    await expect(update(id, 'create', rules('stranger'))).rejects.toMatchObject({
      code: 'not_found',
      details: [{ path: 'body.mergeRules.rules.0.users.0' }],
    })
    await expect(update(id, 'edit', rules('stranger'))).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('updateSpaceById is a conflict on a deleted space', async () => {
    await expect(
      update(await aSpace(content, { deletedAt: new Date() }), 'create', { title: 'Back' }),
    ).rejects.toMatchObject({ code: 'conflict' })
  })

  it.each([
    [{ title: 'x'.repeat(51) }, 'body.title'],
    [{ emoji: '' }, 'body.emoji'],
    [{ emoji: 'hello' }, 'body.emoji'],
    [{ emoji: 'd800' }, 'body.emoji'],
    [{ mergeRules: { type: 'some' } }, 'body.mergeRules.type'],
    [
      { mergeRules: { type: 'rules', rules: [{ rule: 'custom', expression: 'a +' }] } },
      'body.mergeRules.rules.0.expression',
    ],
    [
      { mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers' }] } },
      'body.mergeRules.rules.0.users',
    ],
    [{ icon: 'ftp://example.com/icon.png' }, 'body.icon'],
    [{ emoji: '1f680', icon }, 'body'],
    [{ language: 'klingon' }, 'body.language'],
    [{ editMode: 'open' }, 'body.editMode'],
    [{ defaultLevel: 'owner' }, 'body.defaultLevel'],
  ])('updateSpaceById refuses %j', async (body, path) => {
    await expect(update(await aSpace(content), 'admin', body)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path }],
    })
  })
})

describe('listSpacesForOrganizationMember', () => {
  const listSpaces = async (
    role: Role | null,
    { user, of, ...query }: { user: string; of: string; order?: 'asc' | 'desc' },
  ) => {
    const { items, count } = await content
      .as(role, { user })
      .listSpacesForOrganizationMember({ params: { ...params, userId: of }, query: { limit: 1000, ...query } })
    expect(count).toBe(items.length)
    return items.map(({ permission, space }) => [space.id, permission, space.permissions.edit])
  }

  it("listSpacesForOrganizationMember lists spaces that both can read, with the member's role and the caller's permissions", async () => {
    content.people.add({ organization, user: 'visitor', role: null })
    const shared = await aSpace(content, { parent: await aCollection(content, { defaultLevel: null }) })
    const own = await aSpace(content, { defaultLevel: null })
    for (const space of [shared, own]) await aGrant(content, { space, user: 'visitor', role: 'edit' })
    await aGrant(content, { space: shared, user: 'viewer', role: 'read' })
    expect(await listSpaces('read', { user: 'viewer', of: 'visitor' })).toEqual([[shared, 'edit', false]])
    expect(await listSpaces('admin', { user: 'boss', of: 'visitor' })).toEqual([
      [own, 'edit', true],
      [shared, 'edit', true],
    ])
    expect(await listSpaces('admin', { user: 'boss', of: 'visitor', order: 'asc' })).toEqual([
      [shared, 'edit', true],
      [own, 'edit', true],
    ])
  })

  it("listSpacesForOrganizationMember lists the caller's own spaces without calling identity", async () => {
    const space = await aSpace(content, { defaultLevel: null })
    await aGrant(content, { space, user: 'loner', role: 'comment' })
    const before = content.people.answered()
    expect(await listSpaces(null, { user: 'loner', of: 'loner' })).toEqual([[space, 'comment', false]])
    expect(content.people.answered()).toBe(before)
  })

  it('listSpacesForOrganizationMember is not found for guests who request another member, for missing members and for outsiders', async () => {
    content.people.add({ organization, user: 'somebody' })
    const missing = { code: 'not_found', message: 'There is no such member' }
    await expect(listSpaces(null, { user: 'visitor', of: 'somebody' })).rejects.toMatchObject(missing)
    await expect(listSpaces('read', { user: 'viewer', of: 'nobody' })).rejects.toMatchObject(missing)
    const outside = content.as(undefined).listSpacesForOrganizationMember({ params: { ...params, userId: 'somebody' } })
    await expect(outside).rejects.toMatchObject({ code: 'not_found', message: 'There is no such organization' })
  })
})
