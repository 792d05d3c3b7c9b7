import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import type { Actor, Role } from '@recto/actor'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aCollection, aContent, aGrant, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

const elsewhere = 'anotherOrganization'
const rounds = Array.from({ length: 6 }, (_, round) => round)

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const admin = () => content.as('admin')

function inBoth(user = 'owner', role: Role = 'admin') {
  const actor: Actor = {
    userId: user,
    platformAdmin: false,
    scopes: ['admin'],
    memberships: [organization, elsewhere].map(name => ({ organization: name, role, teams: [] })),
  }
  return busClient(content.gateway, contentApi, { service: 'content', prefix: 'api', actor })
}

/** Expects no internal failure: each attempt succeeds or is rejected with a client error. */
const expected = [undefined, 'conflict', 'not_found', 'forbidden']

describe('running concurrently', () => {
  it.each(rounds)('A user whose grant is being revoked cannot restore a space (%i)', async () => {
    const space = await aSpace(content, { defaultLevel: null })
    content.people.add({ organization, user: 'bob', role: null })
    await aGrant(content, { space, user: 'bob', role: 'admin' })
    const bob = content.as(null, { user: 'bob' })
    const again = () =>
      failure(bob.inviteToSpace({ params: { spaceId: space }, body: { users: ['bob'], role: 'admin' } }))
    await Promise.all([
      again(),
      admin().removeUserFromSpace({ params: { spaceId: space, userId: 'bob' } }),
      again(),
      again(),
    ])
    expect(await failure(bob.getSpaceById({ params: { spaceId: space } }))).toBe('not_found')
  })

  it.each(rounds)('Nothing is created in a collection that is being deleted (%i)', async () => {
    const parent = await aCollection(content)
    const make = () =>
      admin()
        .createCollection({ params: { organizationId: organization }, body: { parent } })
        .catch(() => undefined)
    const [, ...made] = await Promise.all([
      admin().deleteCollectionById({ params: { collectionId: parent } }),
      ...Array.from({ length: 8 }, make),
    ])
    for (const collection of made)
      if (collection)
        expect(await failure(admin().getCollectionById({ params: { collectionId: collection.id } }))).toBe('not_found')
  })

  it.each(rounds)('A space that is being moved out of a collection is not transferred with it (%i)', async () => {
    const collectionId = await aCollection(content)
    const spaces = await Promise.all(Array.from({ length: 4 }, () => aSpace(content, { parent: collectionId })))
    const moves = spaces.map(spaceId => failure(inBoth().moveSpace({ params: { spaceId }, body: { parent: null } })))
    const codes = await Promise.all([
      ...moves,
      failure(inBoth().transferCollection({ params: { collectionId }, body: { organization: elsewhere } })),
    ])
    expect(codes.filter(code => !expected.includes(code))).toEqual([])
    const spaceCodes = await Promise.all(spaces.map(spaceId => failure(inBoth().getSpaceById({ params: { spaceId } }))))
    expect(spaceCodes).toEqual(spaces.map(() => undefined))
  })

  it.each(rounds)('Concurrent copies and deletions respect the permissions of the caller (%i)', async () => {
    const spaceId = await aSpace(content)
    const collectionId = await aCollection(content)
    const local = content.as('create')
    const [copy, removed, ...transferCodes] = await Promise.all([
      local.duplicateSpace({ params: { spaceId } }).catch((error: { code: string }) => error.code),
      failure(local.deleteCollectionById({ params: { collectionId } })),
      failure(inBoth().transferSpace({ params: { spaceId }, body: { organization: elsewhere } })),
      failure(inBoth().transferCollection({ params: { collectionId }, body: { organization: elsewhere } })),
    ])
    expect([removed, ...transferCodes].filter(code => !expected.includes(code))).toEqual([])
    if (typeof copy === 'string') expect(expected).toContain(copy)
    else expect(copy.organization).toBe(organization)
    const collection = await inBoth()
      .getCollectionById({ params: { collectionId } })
      .catch(() => undefined)
    if (transferCodes[1] === undefined) expect(collection).toMatchObject({ organization: elsewhere })
  })
})

describe('no role is raised by', () => {
  it('Moving a manageable space into a collection of one’s own raises no role', async () => {
    const mine = await aCollection(content)
    await aGrant(content, { collection: mine, user: 'maker', role: 'admin' })
    const spaceId = await aSpace(content)
    const collectionId = await aCollection(content)
    const maker = content.as('create', { user: 'maker' })
    expect(await failure(maker.moveSpace({ params: { spaceId }, body: { parent: mine } }))).toBe('forbidden')
    expect(await failure(maker.moveCollection({ params: { collectionId }, body: { parent: mine } }))).toBe('forbidden')
    expect((await admin().getSpaceById({ params: { spaceId } })).parent).toBeUndefined()
  })

  it('A restored space stays accessible to the user who restores it', async () => {
    const closed = await aCollection(content, { defaultLevel: null })
    await aGrant(content, { collection: closed, user: 'keeper', role: 'create' })
    const spaceId = await aSpace(content, { parent: closed })
    const top = await aSpace(content)
    await aGrant(content, { space: top, user: 'keeper', role: 'create' })
    const keeper = content.as('read', { user: 'keeper' })
    await keeper.deleteSpaceById({ params: { spaceId: top } })
    expect((await keeper.restoreSpace({ params: { spaceId: top } })).deletedAt).toBeUndefined()
    await admin().deleteCollectionById({ params: { collectionId: closed } })
    expect(await keeper.restoreSpace({ params: { spaceId } })).toMatchObject({
      defaultLevel: null,
      permissions: { view: true },
    })
  })
})
