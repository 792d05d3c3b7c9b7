import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import type { Actor, Role } from '@recto/actor'
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

const target = 'anotherOrganization'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

/** A user with a role in each of the two organizations; undefined is no membership. */
function between(
  here: Role | null | undefined,
  there: Role | null | undefined,
  { user = 'mover', teams = [] as string[] } = {},
) {
  const membership = (name: string, role: Role | null | undefined) =>
    role === undefined ? [] : [{ organization: name, role, teams }]
  const actor: Actor = {
    userId: user,
    platformAdmin: false,
    scopes: ['admin'],
    memberships: [...membership(organization, here), ...membership(target, there)],
  }
  return busClient(content.gateway, contentApi, { service: 'content', prefix: 'api', actor })
}

describe('a space transferred to another organization', () => {
  it('A space transferred to another organization belongs to it, with the grants of users who are in both', async () => {
    const spaceId = await aSpace(content)
    content.people.add({ organization: target, user: 'both' })
    for (const user of ['both', 'stays']) await aGrant(content, { space: spaceId, user, role: 'edit' })
    await aGrant(content, { space: spaceId, team: 'writers', role: 'edit' })
    const transferredSpace = await between('admin', 'create').transferSpace({
      params: { spaceId },
      body: { organization: target },
    })
    expect(transferredSpace).toMatchObject({ id: spaceId, organization: target })
    expect(await failure(between('admin', undefined).getSpaceById({ params: { spaceId } }))).toBe('not_found')
    expect(await between(undefined, null, { user: 'both' }).getSpaceById({ params: { spaceId } })).toMatchObject({
      permissions: { edit: true },
    })
    expect(await failure(between(undefined, null, { user: 'stays' }).getSpaceById({ params: { spaceId } }))).toBe(
      'not_found',
    )
    expect(
      await failure(
        between(undefined, null, { user: 'other', teams: ['writers'] }).getSpaceById({ params: { spaceId } }),
      ),
    ).toBe('not_found')
  })

  it('A transferred space stays closed to users whom its collection excluded, but not to who transferred it', async () => {
    const closed = await aCollection(content, { defaultLevel: null })
    const spaceId = await aSpace(content, { parent: closed })
    const transferredSpace = await between('admin', 'create').transferSpace({
      params: { spaceId },
      body: { organization: target },
    })
    expect([transferredSpace.defaultLevel, transferredSpace.parent]).toEqual([null, undefined])
    expect(await roleOn(between(undefined, 'create'), spaceId, { user: 'mover', organizationId: target })).toBe(
      'create',
    )
    expect(await failure(between(undefined, 'create', { user: 'other' }).getSpaceById({ params: { spaceId } }))).toBe(
      'not_found',
    )
  })

  it('A transferred space leaves no user a role above that of the user who transferred it', async () => {
    const collectionId = await aCollection(content, { defaultLevel: 'admin' })
    const spaceId = await aSpace(content, { parent: collectionId, defaultLevel: 'admin' })
    content.people.add({ organization: target, user: 'mover', role: 'create' })
    for (const on of [{ collection: collectionId }, { space: spaceId }])
      await aGrant(content, { ...on, user: 'mover', role: 'admin' })
    const transferredCollection = await between('admin', 'create').transferCollection({
      params: { collectionId },
      body: { organization: target },
    })
    expect(transferredCollection).toMatchObject({ defaultLevel: 'create', permissions: { create: true } })
    expect(
      await failure(
        between(undefined, 'create').updateCollectionById({
          params: { collectionId },
          body: { defaultLevel: 'admin' },
        }),
      ),
    ).toBe('forbidden')
    expect(await between(undefined, 'create').getSpaceById({ params: { spaceId } })).toMatchObject({
      defaultLevel: 'create',
    })
    expect(await roleOn(between(undefined, 'create'), spaceId, { user: 'mover', organizationId: target })).toBe(
      'create',
    )
    const own = await aSpace(content, { defaultLevel: 'admin' })
    expect(
      await between('admin', 'admin').transferSpace({ params: { spaceId: own }, body: { organization: target } }),
    ).toMatchObject({ defaultLevel: 'admin' })
  })

  it.each<[string, Role | null | undefined, Role | null | undefined, string]>([
    ['below admin here', 'create', 'admin', 'forbidden'],
    ['below create there', 'admin', 'review', 'forbidden'],
    ['a stranger there', 'admin', undefined, 'not_found'],
    ['a stranger here', undefined, 'admin', 'not_found'],
  ])('A space cannot be transferred by a user who is %s', async (_case, here, there, expected) => {
    const spaceId = await aSpace(content)
    const collectionId = await aCollection(content)
    const client = between(here, there)
    expect(await failure(client.transferSpace({ params: { spaceId }, body: { organization: target } }))).toBe(expected)
    expect(await failure(client.transferCollection({ params: { collectionId }, body: { organization: target } }))).toBe(
      expected,
    )
    expect(await content.as('admin').getSpaceById({ params: { spaceId } })).toMatchObject({ organization })
  })

  it('A space cannot be transferred to its own organization, nor when it is deleted', async () => {
    const spaceId = await aSpace(content)
    expect(
      await failure(between('admin', 'admin').transferSpace({ params: { spaceId }, body: { organization } })),
    ).toBe('conflict')
    await content.as('admin').deleteSpaceById({ params: { spaceId } })
    expect(
      await failure(between('admin', 'admin').transferSpace({ params: { spaceId }, body: { organization: target } })),
    ).toBe('conflict')
  })
})

describe('a collection transferred to another organization', () => {
  it('A collection is transferred with everything in it', async () => {
    const collectionId = await aCollection(content)
    const nested = await aCollection(content, { parent: collectionId })
    const space = await aSpace(content, { parent: collectionId })
    const deep = await aSpace(content, { parent: nested })
    await aGrant(content, { collection: nested, user: 'stays', role: 'admin' })
    const transferredCollection = await between('admin', 'create').transferCollection({
      params: { collectionId },
      body: { organization: target },
    })
    expect(transferredCollection).toMatchObject({ id: collectionId, organization: target })
    const there = between(undefined, 'read')
    for (const spaceId of [space, deep])
      expect(await there.getSpaceById({ params: { spaceId } })).toMatchObject({ organization: target })
    expect(await there.getCollectionById({ params: { collectionId: nested } })).toMatchObject({ parent: collectionId })
    expect(await failure(between(undefined, null, { user: 'stays' }).getSpaceById({ params: { spaceId: deep } }))).toBe(
      'not_found',
    )
    expect(await failure(content.as('admin').getCollectionById({ params: { collectionId: nested } }))).toBe('not_found')
  })
})
