import { migrate, openDatabase, query, type Db } from '@recto/database'
import { roles, type Actor, type Role } from '@recto/actor'
import { createId } from '@recto/operation'
import { aDatabase, type TestDatabase } from '@recto/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type AclEntry, canManage, effectiveRole, resolveAccess } from '../access/access.policy.ts'
import { scenarios } from '../test/access/access.scenarios.ts'
import * as grants from '../access/grants.repository.ts'
import { contentDatabase } from '../database.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { emptyRevision } from '../revisions/revisions.rules.ts'
import type { CollectionRow } from './collection.entity.ts'
import * as collections from './collections.repository.ts'
import * as spaces from './spaces.repository.ts'
import { newSpace } from '../spaces/spaces.rules.ts'
import { countGranted, countReadable } from './counts.repository.ts'
import { hasUnmanageable } from './forbidden.repository.ts'

const userId = 'ada'
const teamIds = ['red', 'green', 'blue']
const collectionCount = 7

let database: TestDatabase
let source: Awaited<ReturnType<typeof openDatabase>>
let db: Db
beforeAll(async () => {
  database = await aDatabase({ template: 'content', migrate: async url => void (await migrate(contentDatabase(url))) })
  source = await openDatabase(contentDatabase(database.url, { poolSize: 5 }))
  db = source.manager
})
afterAll(async () => {
  await source.destroy()
  await database.drop()
})

/** A generated resource; `under` is the index of its parent among the earlier collections, or -1. */
interface GeneratedResource {
  level: AclEntry
  under: number
  isDeleted?: boolean
}

const role = fc.constantFrom<Role>(...roles)
const some = (ids: string[]) => fc.dictionary(fc.constantFrom(...ids), role, { maxKeys: 2, noNullPrototype: true })
const none = fc.constant<Record<string, Role>>({})
const aLevel: fc.Arbitrary<AclEntry> = fc.record({
  id: fc.constant('level'),
  defaultLevel: fc.oneof(
    { weight: 4, arbitrary: fc.constant<'inherit'>('inherit') },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: role },
  ),
  users: fc.oneof(none, some([userId, 'bob'])),
  teams: fc.oneof(none, some(teamIds)),
})
/** Most collections are children of the previous one, so that trees are five levels deep or more. */
const aCollection = fc.record({
  level: aLevel,
  under: fc.oneof(fc.constant(-1), fc.constant(collectionCount), fc.nat(collectionCount)),
})
const aSpace = fc.record({
  level: aLevel,
  under: fc.integer({ min: -1, max: collectionCount - 1 }),
  isDeleted: fc.nat(4).map(drawn => drawn === 0),
})
const aTree = fc.record({
  collections: fc.array(aCollection, { maxLength: collectionCount }),
  spaces: fc.array(aSpace, { maxLength: 8 }),
})
const aMembership = fc.record({ role: fc.option(role), teams: fc.subarray(teamIds) })

interface StoredResource {
  id: string
  /** The index of its parent among the collections; -1 for none. */
  parent: number
  levels: AclEntry[]
  isDeleted: boolean
}

async function grant(
  resourceType: 'space' | 'collection',
  { id, organization, level }: { id: string; organization: string; level: AclEntry },
): Promise<void> {
  const grantOf = { resourceType, resourceId: id, organizationId: organization, createdAt: new Date() }
  for (const [subjectId, role] of Object.entries(level.users))
    await grants.grantAtLeast(db, { ...grantOf, subject: 'user', subjectId, role })
  for (const [subjectId, role] of Object.entries(level.teams))
    await grants.grantAtLeast(db, { ...grantOf, subject: 'team', subjectId, role })
}

async function keepCollection(
  organization: string,
  drawn: GeneratedResource,
  before: StoredResource[],
): Promise<StoredResource> {
  const parent = Math.min(drawn.under, before.length - 1)
  const id = createId()
  const now = new Date()
  const times = { createdAt: now, updatedAt: now, deletedAt: null }
  const row: CollectionRow = {
    id,
    type: 'collection',
    organizationId: organization,
    title: id,
    description: null,
    parent: before[parent]?.id ?? null,
    defaultLevel: drawn.level.defaultLevel,
    position: 'a0',
    createdBy: 'bob',
    ...times,
  }
  await collections.insert(db, row)
  await grant('collection', { id, organization, level: drawn.level })
  return { id, parent, levels: [drawn.level, ...(before[parent]?.levels ?? [])], isDeleted: false }
}

async function keepSpace(
  organization: string,
  drawn: GeneratedResource,
  inside: StoredResource[] = [],
): Promise<StoredResource> {
  const parent = Math.min(drawn.under, inside.length - 1)
  const isDeleted = drawn.isDeleted ?? false
  const space = newSpace({
    organizationId: organization,
    parent: inside[parent]?.id ?? null,
    position: 'a0',
    editMode: 'live',
    createdBy: 'bob',
  })
  await revisions.insert(db, emptyRevision({ id: space.revision, spaceId: space.id, createdBy: 'bob' }))
  await spaces.insert(db, {
    ...space,
    defaultLevel: drawn.level.defaultLevel,
    deletedAt: isDeleted ? space.createdAt : null,
  })
  await grant('space', { id: space.id, organization, level: drawn.level })
  return { id: space.id, parent, levels: [drawn.level, ...(inside[parent]?.levels ?? [])], isDeleted }
}

async function keep(
  organization: string,
  tree: { collections: GeneratedResource[]; spaces: GeneratedResource[] },
): Promise<{ kept: StoredResource[]; inside: StoredResource[] }> {
  const spaceObjects: StoredResource[] = []
  const inside: StoredResource[] = []
  for (const collection of tree.collections) inside.push(await keepCollection(organization, collection, inside))
  for (const space of tree.spaces) spaceObjects.push(await keepSpace(organization, space, inside))
  return { kept: spaceObjects, inside }
}

const actorOf = (user: string, memberships: Actor['memberships']): Actor => ({
  userId: user,
  platformAdmin: false,
  scopes: [],
  memberships,
})
const all = { limit: 50, cursorKey: ['a-key-of-the-tests'] as const }

describe('the SQL computes the same roles as the policy', () => {
  it('The SQL computes the roles of the policy for reads, lists and counts, on random trees and grants', async () => {
    const deepest: number[] = []
    await fc.assert(
      fc.asyncProperty(aTree, aMembership, aMembership, async (tree, mine, theirs) => {
        const organization = createId()
        const { kept, inside } = await keep(organization, tree)
        deepest.push(...kept.map(({ levels }) => levels.length))
        const actor = actorOf(userId, [{ organization, ...mine }])
        const viewer = { organization, userId, ...mine }
        const admin = { organization, userId: 'boss', role: 'admin' as const, teams: [] }
        const roleOn = ({ levels }: StoredResource, of = actor) => effectiveRole(of, organization, levels)
        const seen = (objects: StoredResource[], of = actor) =>
          objects.filter(object => !object.isDeleted && roleOn(object, of) !== null)
        const visibleRows = (objects: StoredResource[]) =>
          seen(objects)
            .map(object => [
              object.id,
              roleOn(object),
              object.levels.length > 1 ? effectiveRole(actor, organization, object.levels.slice(1)) : null,
            ])
            .sort()
        const listed = (items: { id: string; role: Role; parentRole: Role | null }[]) =>
          items.map(item => [item.id, item.role, item.parentRole]).sort()

        for (const one of kept) {
          const row = await spaces.findWithAcl(db, one.id, actor)
          expect(row && resolveAccess(actor, row).role).toEqual(roleOn(one))
        }
        for (const one of inside) {
          const row = await collections.findWithAcl(db, one.id, actor)
          expect(row && resolveAccess(actor, row).role).toEqual(roleOn(one))
        }
        const list = await spaces.listReadable(db, viewer, all)
        expect(listed(list.items)).toEqual(visibleRows(kept))
        expect(list.count).toBe(list.items.length)
        const shared = await spaces.listReadableByBoth(
          db,
          { viewer, member: { organization, userId: 'bob', ...theirs }, order: 'asc' },
          all,
        )
        const bob = actorOf('bob', [{ organization, ...theirs }])
        const both = seen(seen(kept), bob).map(object => [object.id, roleOn(object), roleOn(object, bob)])
        expect(shared.items.map(item => [item.id, item.role, item.memberRole]).sort()).toEqual(both.sort())
        const nested = await collections.listReadable(db, { ...viewer, nested: true }, all)
        expect(listed(nested.items)).toEqual(visibleRows(inside))
        const top = await collections.listReadable(db, { ...viewer, nested: false }, all)
        expect(listed(top.items)).toEqual(visibleRows(inside).filter(([, , parentRole]) => parentRole === null))
        for (const [at, one] of inside.entries()) {
          const roleThere = roleOn(one)
          if (roleThere === null) continue
          const { items } = await spaces.listReadableIn(db, { ...viewer, collection: one.id, roleThere }, all)
          expect(listed(items)).toEqual(visibleRows(kept.filter(({ parent }) => parent === at)))
        }
        const lying = kept.filter(({ parent }) => inside[parent] !== undefined)
        const isForbidden = [...inside, ...lying].some(object => !object.isDeleted && !canManage(roleOn(object)))
        expect(
          await hasUnmanageable(
            db,
            viewer,
            inside.map(({ id }) => id),
          ),
        ).toBe(isForbidden)
        expect(
          await countReadable(db, viewer, [
            { user: userId, ...mine },
            { user: 'bob', ...theirs },
          ]),
        ).toEqual({ [userId]: seen(kept).length, bob: both.length })
        expect(await countReadable(db, admin, [{ user: 'bob', ...theirs }])).toEqual({ bob: seen(kept, bob).length })
        const ofTeam = (team: string) => seen(kept.map(onlyOf(team)), guestIn(organization, team)).map(({ id }) => id)
        expect(await countGranted(db, admin, teamIds)).toEqual(
          Object.fromEntries(teamIds.map(team => [team, ofTeam(team).length])),
        )
        const mySpaces = new Set(seen(kept).map(({ id }) => id))
        expect(await countGranted(db, viewer, teamIds)).toEqual(
          Object.fromEntries(teamIds.map(team => [team, ofTeam(team).filter(id => mySpaces.has(id)).length])),
        )
      }),
      { numRuns: 150 },
    )
    expect(Math.max(...deepest)).toBeGreaterThan(5)
  })
})

it.each(scenarios)('Single reads compute scenario $number of the policy', async ({ who, path, role: expected }) => {
  const organization = createId()
  const inside: StoredResource[] = []
  for (const level of path.slice(1).reverse())
    inside.push(await keepCollection(organization, { level, under: collectionCount }, inside))
  const space = await keepSpace(organization, { level: path[0] as AclEntry, under: collectionCount }, inside)
  const collection = await keepCollection(organization, { level: path[0] as AclEntry, under: collectionCount }, inside)
  const membership = {
    organization: who.role === 'stranger' ? 'another' : organization,
    role: who.role === 'stranger' ? 'admin' : who.role,
    teams: who.teams,
  } as const
  const me = actorOf('me', [membership])
  const rows = [await spaces.findWithAcl(db, space.id, me), await collections.findWithAcl(db, collection.id, me)]
  expect(rows.map(one => one && resolveAccess(me, one).role)).toEqual([expected, expected])
  const viewer = { ...membership, userId: 'me' }
  expect((await spaces.listReadable(db, viewer, all)).items.map(({ role }) => role)).toEqual(
    expected === null ? [] : [expected],
  )
  const listed = await collections.listReadable(db, { ...viewer, nested: true }, all)
  expect(listed.items.find(({ id }) => id === collection.id)?.role ?? null).toBe(expected)
})

/** A resource with the grants of this team only. */
const onlyOf =
  (team: string) =>
  (object: StoredResource): StoredResource => ({
    ...object,
    levels: object.levels.map(level => ({
      ...level,
      users: {},
      teams: Object.hasOwn(level.teams, team) ? { [team]: level.teams[team] as Role } : {},
    })),
  })
const guestIn = (organization: string, team: string): Actor =>
  actorOf('nobody', [{ organization, role: null, teams: [team] }])

it.each([
  ['in no collection', 0],
  ['five collections deep', 5],
])('The read of a space %s uses a generic plan instead of planning each request', async (_where, depth) => {
  const single = await openDatabase(contentDatabase(database.url, { poolSize: 1 }))
  const organization = createId()
  const level: AclEntry = {
    id: 'level',
    defaultLevel: 'inherit',
    users: { [userId]: 'read' },
    teams: { red: 'edit', green: 'read' },
  }
  const inside: StoredResource[] = []
  while (inside.length < depth)
    inside.push(await keepCollection(organization, { level, under: collectionCount }, inside))
  const spaceObjects = await Promise.all(
    Array.from({ length: 300 }, () => keepSpace(organization, { level, under: depth - 1 }, inside)),
  )
  await query(single.manager, 'analyze grants, spaces, collections')
  const actor = actorOf(userId, [{ organization, role: null, teams: ['red'] }])
  for (const { id } of spaceObjects.slice(0, 20)) await spaces.findWithAcl(single.manager, id, actor)
  const [plans] = await query<{ custom: number; generic: number }>(
    single.manager,
    `select custom_plans as custom, generic_plans as generic from pg_prepared_statements where name = 'space-with-acl'`,
  )
  expect(plans).toEqual({ custom: 5, generic: 15 })
  await single.destroy()
})
