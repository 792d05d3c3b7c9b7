import { migrate, openDatabase, query, type Db } from '@recto/database'
import { createId } from '@recto/operation'
import { aDatabase, type TestDatabase } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { contentDatabase } from '../database.ts'
import { ResourceEntity } from '../resources/resource.entity.ts'
import { Resources1765800000000 } from './1765800000000-resources.ts'

const organization = createId()
const revision = createId()

let database: TestDatabase
let source: Awaited<ReturnType<typeof openDatabase>>
let db: Db

/** A collection at the root, and a space in it, written as the version before writes them: it knows neither `resources` nor `type`. */
async function writeAsBefore(): Promise<{ collection: string; space: string }> {
  const collection = createId()
  const space = createId()
  await query(
    db,
    `insert into collections (id, organization_id, title, parent, default_level, position, created_by, created_at, updated_at)
     values ($1, $2, '', null, 'read', 'a0', '', now(), now())`,
    [collection, organization],
  )
  await query(
    db,
    `insert into spaces (id, organization_id, title, emoji, edit_mode, parent, default_level, position, revision, created_by, created_at, updated_at)
     values ($1, $2, '', '', 'live', $3, 'inherit', 'a1', $4, '', now(), now())`,
    [space, organization, collection, revision],
  )
  return { collection, space }
}

const pairs: Record<string, { collection: string; space: string }> = {}

beforeAll(async () => {
  const before = (url: string) => {
    const { migrations, ...options } = contentDatabase(url, { poolSize: 3 })
    return { ...options, migrations: migrations.slice(0, migrations.indexOf(Resources1765800000000)) }
  }
  database = await aDatabase({
    template: 'content_before_resources',
    migrate: async url => void (await migrate(before(url))),
  })
  const now = contentDatabase(database.url, { poolSize: 3 })
  source = await openDatabase(now)
  db = source.manager
  await query(
    db,
    `insert into revisions (id, space_id, type, parents, pages_root, files_root, reusable_root, variables, created_at) values ($1, '', '', '{}', '', '', '', '{}', now())`,
    [revision],
  )
  pairs.old = await writeAsBefore()
  await migrate(now)
  pairs.new = await writeAsBefore()
})
afterAll(async () => {
  await source.destroy()
  await database.drop()
})

describe.each([
  ['before the migration', 'old'],
  ['by the version before, while this one runs', 'new'],
])('spaces and collections written %s', (_when, name) => {
  const pair = () => pairs[name] as { collection: string; space: string }

  it('Spaces and collections are resources of their type, whichever version wrote them', async () => {
    const { collection, space } = pair()
    expect(
      await db.find(ResourceEntity, { where: [{ id: collection }, { id: space }], order: { type: 'ASC' } }),
    ).toEqual([
      expect.objectContaining({
        id: collection,
        type: 'collection',
        parent: null,
        defaultLevel: 'read',
        deletedAt: null,
      }),
      expect.objectContaining({
        id: space,
        type: 'space',
        parent: collection,
        defaultLevel: 'inherit',
        deletedAt: null,
      }),
    ])
  })

  it('Spaces and collections show a change by this version to the version before', async () => {
    const { collection, space } = pair()
    const id = [collection, space]
    await db.update(ResourceEntity, [{ id: collection }, { id: space }], { defaultLevel: 'edit' })
    const levels = await query(
      db,
      `select default_level as level from collections where id = any($1) union all select default_level from spaces where id = any($1)`,
      [id],
    )
    expect(levels).toEqual([{ level: 'edit' }, { level: 'edit' }])
  })

  it('Spaces and collections show a change by the version before to this version', async () => {
    const { space } = pair()
    await query(db, `update spaces set deleted_at = now(), position = 'a7' where id = $1`, [space])
    const { position, deletedAt } = await db.findOneByOrFail(ResourceEntity, { id: space })
    expect([position, deletedAt]).toEqual(['a7', expect.any(Date)])
  })

  it('Spaces and collections are locked by both versions with the same lock', async () => {
    const { collection, space } = pair()
    await source.transaction(async holder => {
      await holder.find(ResourceEntity, {
        where: [{ id: collection }, { id: space }],
        lock: { mode: 'pessimistic_write' },
      })
      for (const [table, id] of [
        ['collections', collection],
        ['spaces', space],
      ])
        expect(await query(db, `select id from ${table} where id = $1 for update skip locked`, [id])).toEqual([])
    })
    expect(await query(db, 'select id from spaces where id = $1 for update skip locked', [space])).toHaveLength(1)
  })
})

it('The table of resources takes no rows of its own', async () => {
  const { collection } = pairs.new as { collection: string }
  await expect(query(db, `insert into resources select * from resources where id = $1`, [collection])).rejects.toThrow(
    'resources_without_rows',
  )
})

it('A statement on one type does not read the table of the other', async () => {
  const plan = await query<{ 'QUERY PLAN': string }>(
    db,
    `explain select id from resources where type = 'collection' and id = $1`,
    ['x'],
  )
  expect(plan.map(line => line['QUERY PLAN']).join('\n')).not.toContain('spaces')
})

it('The migration can be taken back without losing rows', async () => {
  const runner = source.createQueryRunner()
  const migration = new Resources1765800000000()
  await migration.down(runner)
  await writeAsBefore()
  const counts = await query<{ count: number }>(
    db,
    'select count(*) as count from spaces union all select count(*) from collections',
  )
  expect(counts.map(({ count }) => Number(count))).toEqual([3, 3])
  await migration.up(runner)
  await runner.release()
  expect(await db.countBy(ResourceEntity, { organizationId: organization })).toBe(6)
})
