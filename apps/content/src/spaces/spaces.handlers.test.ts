import { roles, type Role } from '@recto/actor'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aGrant, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const create = (body = {}) => content.as('create').createSpace({ params: { organizationId: organization }, body })

const computedSource = {
  type: 'builtin:openapi' as const,
  dependencies: { spec: { ref: { kind: 'openapi' as const, spec: 'petstore' } } },
}

describe('spaces', () => {
  it('Spaces begin with an empty revision, live, inheriting access', async () => {
    const space = await create({ title: 'Manual', emoji: '📘', language: 'en' })
    expect(space).toMatchObject({
      object: 'space',
      title: 'Manual',
      emoji: '📘',
      language: 'en',
      editMode: 'live',
      defaultLevel: 'inherit',
      visibility: 'private',
    })
    expect(await content.as('read').getCurrentRevision({ params: { spaceId: space.id } })).toMatchObject({
      id: space.revision,
      pages: [],
      files: [],
    })
  })

  it('Spaces may be created without a body', async () => {
    expect(await content.as('admin').createSpace({ params: { organizationId: organization } })).toMatchObject({
      title: 'Untitled',
    })
  })

  it.each(roles)('The role %s decides whether a user can create spaces', async role => {
    const attempt = content.as(role).createSpace({ params: { organizationId: organization }, body: {} })
    if (role === 'create' || role === 'admin') expect(await attempt).toMatchObject({ object: 'space' })
    else await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('Spaces in a collection that does not exist are not created', async () => {
    await expect(create({ parent: 'nothing' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('Spaces are readable by members with the permissions of their role, and by no others', async () => {
    const { id } = await create()
    const params = { spaceId: id }
    expect(await content.as('read').getSpaceById({ params })).toMatchObject({
      permissions: { view: true, admin: false, edit: false, triggerGitSync: false },
    })
    expect(await content.as('create').getSpaceById({ params })).toMatchObject({
      permissions: { admin: true, edit: true, triggerGitSync: true },
    })
    for (const outsider of [null, undefined])
      await expect(content.as(outsider).getSpaceById({ params })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('Spaces are readable with a granted role from the next request on', async () => {
    const space = await aSpace(content)
    const seenBy = async (role: Role | null, who: { user?: string; teams?: string[] }) =>
      (await content.as(role, who).getSpaceById({ params: { spaceId: space } })).permissions
    expect(await seenBy('read', { user: 'ada' })).toMatchObject({ comment: false })
    await aGrant(content, { space, user: 'ada', role: 'comment' })
    expect(await seenBy('read', { user: 'ada' })).toMatchObject({ comment: true, edit: false })
    expect(await seenBy('review', { user: 'ada' })).toMatchObject({ comment: true, edit: false })
    for (const [team, role] of [
      ['reds', 'edit'],
      ['blues', 'review'],
    ] as const)
      await aGrant(content, { space, team, role })
    expect(await seenBy('read', { user: 'bob', teams: ['reds', 'blues'] })).toMatchObject({
      merge: true,
      triggerGitSync: false,
    })
    expect(await seenBy(null, { user: 'bob', teams: ['reds'] })).toMatchObject({ edit: true, merge: false })
  })

  it('Closed spaces and their content are readable by users with a grant and by admins only', async () => {
    const space = await aSpace(content, { defaultLevel: null })
    await aGrant(content, { space, user: 'ada', role: 'read' })
    const params = { spaceId: space }
    for (const client of [
      content.as('admin'),
      content.as('read', { user: 'ada' }),
      content.as(null, { user: 'ada' }),
    ]) {
      expect(await client.getSpaceById({ params })).toMatchObject({ id: space })
      expect(await client.getCurrentRevision({ params })).toMatchObject({ object: 'revision' })
    }
    for (const role of ['create', null] as const) {
      await expect(content.as(role).getSpaceById({ params })).rejects.toMatchObject({ code: 'not_found' })
      await expect(content.as(role).getCurrentRevision({ params })).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  it('Spaces are listed to guests and members as they were granted, and to no others', async () => {
    const open = await aSpace(content)
    const closed = await aSpace(content, { defaultLevel: null })
    await aGrant(content, { space: closed, team: 'closed circle', role: 'edit' })
    const listVisible = async (role: Role | null, teams: string[]) => {
      const { items, count } = await content
        .as(role, { user: 'listing', teams })
        .listSpacesInOrganizationById({ params: { organizationId: organization }, query: { limit: 1000 } })
      expect(count).toBe(items.length)
      return items.filter(({ id }) => id === open || id === closed).map(({ id, permissions }) => [id, permissions.edit])
    }
    expect(await listVisible(null, [])).toEqual([])
    expect(await listVisible(null, ['closed circle'])).toEqual([[closed, true]])
    expect(await listVisible('read', [])).toEqual([[open, false]])
    expect(await listVisible('read', ['closed circle'])).toEqual([
      [closed, true],
      [open, false],
    ])
    expect(await listVisible('admin', [])).toEqual([
      [closed, true],
      [open, true],
    ])
  })

  it('Spaces can start with pages that are computed from a specification', async () => {
    const { id } = await create({ title: 'API', computedSource })
    const { pages } = await content.as('read').listPages({ params: { spaceId: id }, query: { computed: 'false' } })
    expect(pages).toMatchObject([
      { type: 'computed', title: 'petstore', computed: { ...computedSource, props: { models: true } } },
    ])
  })

  it('Spaces are listed to members, not to guests, and an unknown organization is not found', async () => {
    const { id } = await create({ title: 'Listed' })
    const params = { organizationId: organization }
    const seen = await content.as('read').listSpacesInOrganizationById({ params, query: { limit: 1 } })
    expect(seen.items.map(space => space.id)).toEqual([id])
    expect(seen.count).toBeGreaterThan(1)
    expect(await content.as(null).listSpacesInOrganizationById({ params })).toEqual({ items: [], count: 0 })
    await expect(content.as(undefined).listSpacesInOrganizationById({ params })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it.each([
    [{ title: 'x'.repeat(51) }, 'body.title'],
    [{ language: 'klingon' }, 'body.language'],
    [{ emoji: 'zzz' }, 'body.emoji'],
    [{ computedSource: { ...computedSource, type: 'builtin:translation' } }, 'body.computedSource.type'],
    [{ computedSource: { type: 'builtin:openapi' } }, 'body.computedSource.dependencies'],
    [{ computedSource, template: { id: 'guide' } }, 'body.computedSource'],
    [{ editMode: 'open' }, 'body.editMode'],
  ])('A space with %j is refused', async (body, path) => {
    await expect(create(body)).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
  })
})
