import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aCollection, aContent, aGrant, aSpace, type ContentSetup, organization } from './content-setup.ts'
import { statementsOf } from './statements.ts'

const schemas = replySchemas()
const params = { organizationId: organization }
const query = { limit: 1000 }

let content: ContentSetup
let spaceId: string
let collectionId: string

/** Five nested collections with spaces in each. */
async function aTree(spacesInEach: number): Promise<{ outermost: string; spaces: string[] }> {
  const nested: string[] = []
  const spaces: string[] = []
  for (let depth = 0; depth < 5; depth++) {
    nested.push(await aCollection(content, { parent: nested.at(-1) ?? null }))
    for (let at = 0; at < spacesInEach; at++) spaces.push(await aSpace(content, { parent: nested.at(-1) as string }))
  }
  return { outermost: nested[0] as string, spaces }
}

beforeAll(async () => {
  content = await aContent()
  const { outermost, spaces } = await aTree(1)
  collectionId = outermost
  spaceId = spaces[0] as string
  await aGrant(content, { collection: collectionId, user: 'guest', role: 'create' })
  await aGrant(content, { space: spaceId, user: 'guest', role: 'create' })
  await grow(0, 2)
})
afterAll(async () => {
  await content.stop()
})

/** Adds users and teams to the organization, numbered, with grants on the space and the collection. */
async function grow(from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) {
    content.people.add({ organization, user: `user-${at}` })
    content.people.addTeam(organization, `team-${at}`)
    for (const on of [{ space: spaceId }, { collection: collectionId }]) {
      await aGrant(content, { ...on, user: `user-${at}`, role: 'edit' })
      await aGrant(content, { ...on, team: `team-${at}`, role: 'edit' })
    }
  }
}

const guest = () => content.as(null, { user: 'guest' })
/** The aggregate is listed for members only. */
const member = () => content.as('create', { user: 'member' })
const lists: Record<string, () => Promise<{ items: unknown[]; count: number }>> = {
  listSpacesInOrganizationById: () => guest().listSpacesInOrganizationById({ params, query }),
  listCollectionsInOrganizationById: () => guest().listCollectionsInOrganizationById({ params, query }),
  listSpacesInCollectionById: () => guest().listSpacesInCollectionById({ params: { collectionId }, query }),
  listSpacesForOrganizationMember: () =>
    guest().listSpacesForOrganizationMember({ params: { ...params, userId: 'guest' }, query }),
  listUserPermissionsInSpace: () => guest().listUserPermissionsInSpace({ params: { spaceId }, query }),
  listTeamPermissionsInSpace: () => guest().listTeamPermissionsInSpace({ params: { spaceId }, query }),
  listPermissionsAggregateInSpace: () => member().listPermissionsAggregateInSpace({ params: { spaceId }, query }),
  listUserPermissionsInCollection: () => guest().listUserPermissionsInCollection({ params: { collectionId }, query }),
  listTeamPermissionsInCollection: () => guest().listTeamPermissionsInCollection({ params: { collectionId }, query }),
  listPermissionsAggregateInCollection: () =>
    member().listPermissionsAggregateInCollection({ params: { collectionId }, query }),
}

describe('every list', () => {
  it.each(Object.keys(lists))('The list %s matches the published specification', async operation => {
    const reply = await lists[operation]?.()
    expect(reply?.items.length).toBeGreaterThan(0)
    expect(schemas.validateReply(operation, 200, reply)).toEqual([])
  })

  it('Every list needs the same number of statements and calls of identity for a large and a small tree', async () => {
    const countCalls = async () => {
      const costs: Record<string, { statements: number; calls: number }> = {}
      for (const [operation, list] of Object.entries(lists)) {
        const before = content.people.answered()
        await list()
        costs[operation] = {
          calls: content.people.answered() - before,
          statements: await statementsOf(content.service.db, list),
        }
      }
      return costs
    }
    const few = await countCalls()
    expect(Object.values(few).every(({ statements }) => statements > 0)).toBe(true)
    const { outermost } = await aTree(12)
    await aGrant(content, { collection: outermost, user: 'guest', role: 'read' })
    for (let at = 0; at < 10; at++) await aSpace(content, { parent: collectionId })
    await grow(2, 20)
    expect((await lists.listSpacesInOrganizationById?.())?.count).toBe(75)
    expect((await lists.listUserPermissionsInSpace?.())?.count).toBe(21)
    expect(await countCalls()).toEqual(few)
  })
})

it('A collection and a space match the published specification', async () => {
  expect(
    schemas.validateReply('getCollectionById', 200, await guest().getCollectionById({ params: { collectionId } })),
  ).toEqual([])
  const spaceWithIcon = await guest().updateSpaceById({
    params: { spaceId },
    body: { icon: 'https://example.com/icon.png' },
  })
  expect(schemas.validateReply('updateSpaceById', 200, spaceWithIcon)).toEqual([])
  expect(
    schemas.validateReply(
      'createCollection',
      201,
      await guest().createCollection({ params, body: { parent: collectionId } }),
    ),
  ).toEqual([])
  expect(
    schemas.validateReply(
      'updateCollectionById',
      200,
      await guest().updateCollectionById({ params: { collectionId }, body: { description: 'For guests' } }),
    ),
  ).toEqual([])
})
