import { Failure } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  mapConstraintErrors,
  migrate,
  openDatabase,
  poolState,
  prepared,
  preparedAsJson,
  query,
  schemaState,
} from './index.ts'
import { anEmptyDatabase, aThingsDatabase, migrations, thingsAt, type Things } from './test/things.ts'

let things: Things
beforeAll(async () => (things = await aThingsDatabase()))
afterAll(() => things.stop())

describe('migrations', () => {
  it('run once each although four processes start at the same time on an empty database', async () => {
    const { url, drop } = await anEmptyDatabase()
    const ran = await Promise.all(Array.from({ length: 4 }, () => migrate(thingsAt(url))))
    expect(ran.filter(names => names.length > 0)).toEqual([migrations.map(migration => migration.name)])
    const database = await openDatabase(thingsAt(url))
    expect(await query(database.manager, 'select name from runs order by name')).toEqual([
      { name: 'create things' },
      { name: 'fill things' },
    ])
    expect(await migrate(thingsAt(url))).toEqual([])
    await database.destroy()
    await drop()
  })

  it('that fail keep the earlier ones applied, and can be run again', async () => {
    const { url, drop } = await anEmptyDatabase()
    const broken = class Broken1700000000003 {
      async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
        await runner.query(`insert into runs values ('broken')`)
        await runner.query('create tabel page ()')
      }
      async down(): Promise<void> {}
    }
    await expect(migrate({ ...thingsAt(url), migrations: [...migrations, broken] })).rejects.toThrow('syntax error')
    const database = await openDatabase(thingsAt(url))
    expect(await query(database.manager, 'select count(*) as count from runs')).toEqual([{ count: 2 }])
    expect(await schemaState(database)).toBe(true)
    expect(await migrate(thingsAt(url))).toEqual([])
    await database.destroy()
    await drop()
  })

  it('of these names alone make the schema of an earlier version, and the rest run later', async () => {
    const { url, drop } = await anEmptyDatabase()
    const names = migrations.map(({ name }) => name)
    await expect(migrate(thingsAt(url), ['FromTheFuture1900000000000'])).rejects.toMatchObject({ code: 'conflict' })
    expect(await migrate(thingsAt(url), names.slice(0, 2))).toEqual(names.slice(0, 2))
    expect(await migrate(thingsAt(url))).toEqual(names.slice(2))
    await drop()
  })

  it('that are missing make the service not ready', async () => {
    const { url, drop } = await anEmptyDatabase()
    const database = await openDatabase(thingsAt(url))
    expect(await schemaState(database)).toBe('the database has not been migrated to this version')
    await migrate({ ...thingsAt(url), migrations: migrations.slice(0, 2) })
    expect(await schemaState(database)).toBe('the database has not been migrated to this version')
    await migrate(thingsAt(url))
    expect(await schemaState(database)).toBe(true)
    await database.destroy()
    await drop()
  })

  it('of a newer version do not make an older one not ready', async () => {
    const older = await openDatabase({ ...thingsAt(things.url), migrations: migrations.slice(0, 2) })
    expect(await schemaState(older)).toBe(true)
    await older.destroy()
  })
})

it('an unreachable database is unavailable', async () => {
  const away = openDatabase(thingsAt('postgres://nobody@127.0.0.1:1/nothing'))
  await expect(away).rejects.toMatchObject({ code: 'unavailable', message: 'The database is not available' })
})

describe('a query', () => {
  it('reads timestamps as dates and large integers as numbers while these are exact', async () => {
    const sql = `select 9007199254740991::bigint as large, 9007199254740993::bigint as larger, '2026-01-02T03:04:05.678Z'::timestamptz as at`
    expect(await query(things.database.manager, sql)).toEqual([
      { large: 9007199254740991, larger: '9007199254740993', at: new Date('2026-01-02T03:04:05.678Z') },
    ])
  })

  it('returns its connection to the pool, also when it fails', async () => {
    for (let count = 0; count < 20; count += 1)
      await expect(query(things.database.manager, 'select 1/0')).rejects.toThrow('division by zero')
    const { total, idle, waiting } = poolState(things.database)
    expect([total - idle, waiting]).toEqual([0, 0])
  })

  it('does not count as waiting while connections are idle, and does when all are in use', async () => {
    const { idle } = poolState(things.database)
    expect(idle).toBeGreaterThan(0)
    const first = query(things.database.manager, 'select 1')
    expect(poolState(things.database).waiting).toBe(0)
    const many = Array.from({ length: 50 }, () => query(things.database.manager, 'select pg_sleep(0.01)'))
    expect(poolState(things.database).waiting).toBeGreaterThan(0)
    await Promise.all([first, ...many])
    expect(poolState(things.database).waiting).toBe(0)
  })

  it('runs in the transaction of its handle', async () => {
    const failing = things.database.transaction(async db => {
      await query(db, `insert into thing (id) values ('rolled back')`)
      expect(await query(db, `select id from thing where id = 'rolled back'`)).toHaveLength(1)
      throw new Failure('conflict', 'no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await query(things.database.manager, `select id from thing where id = 'rolled back'`)).toEqual([])
  })
})

describe('a prepared statement', () => {
  const titled = prepared<{ id: string; title: string }>('titled', 'select id, title from thing where id = $1')
  const backends = prepared<{ statements: number }>(
    'statements',
    `select count(*) as statements from pg_prepared_statements where name = 'titled'`,
  )

  it('is executed repeatedly with different values', async () => {
    await query(things.database.manager, `insert into thing (id, title) values ('p', 'prepared')`)
    for (let count = 0; count < 3; count += 1)
      expect(await titled(things.database.manager, ['p'])).toEqual([{ id: 'p', title: 'prepared' }])
    expect(await backends(things.database.manager, [])).toEqual([{ statements: 1 }])
  })

  it('sees the writes of its transaction', async () => {
    await things.database.transaction(async db => {
      await query(db, `insert into thing (id, title) values ('t', 'in transaction')`)
      expect(await titled(db, ['t'])).toEqual([{ id: 't', title: 'in transaction' }])
      expect(await titled(things.database.manager, ['t'])).toEqual([])
    })
  })

  it('as JSON reads the same row, inside a transaction and outside', async () => {
    const columns = `select $1::text as "id", 'ä "\\'::text as "aText", 7 as "count", true as "isSet", null::text as "none",
      '{"b": [1, null], "a": "x"}'::jsonb as "body", '2026-02-28T23:59:59.123+05:30'::timestamptz(3) as "at", null::timestamptz as "never"`
    type Row = Record<'id' | 'aText' | 'count' | 'isSet' | 'none' | 'body' | 'at' | 'never', unknown>
    const plain = prepared<Row>('plain', columns)
    const asJson = preparedAsJson<Row>('as-json', columns, ['at', 'never'])
    const { manager } = things.database
    const expected = await plain(manager, ['a'])
    expect(expected).toMatchObject([{ at: new Date('2026-02-28T18:29:59.123Z'), never: null, count: 7 }])
    expect(await asJson(manager, ['a'])).toEqual(expected)
    await things.database.transaction(async db => expect(await asJson(db, ['a'])).toEqual(expected))
  })

  it('runs on many connections at once', async () => {
    const read = await Promise.all(Array.from({ length: 40 }, () => titled(things.database.manager, ['p'])))
    expect(read).toEqual(Array(40).fill([{ id: 'p', title: 'prepared' }]))
  })
})

describe('a violated constraint', () => {
  const meanings = { thing_title_unique: { code: 'conflict', message: 'The title is taken' } } as const
  const insert = (id: string, title: string) =>
    query(things.database.manager, 'insert into thing (id, title) values ($1, $2)', [id, title])

  it('is mapped to its declared failure', async () => {
    await insert('v1', 'taken')
    await expect(mapConstraintErrors(meanings, () => insert('v2', 'taken'))).rejects.toMatchObject({
      code: 'conflict',
      message: 'The title is taken',
    })
  })

  it('is mapped to its declared failure at commit, too', async () => {
    const write = () =>
      things.database.transaction(db => query(db, `insert into thing (id, title) values ('v3', 'taken')`))
    await expect(mapConstraintErrors(meanings, write)).rejects.toBeInstanceOf(Failure)
  })

  it('without a declared failure stays a database error', async () => {
    await expect(mapConstraintErrors(meanings, () => insert('v1', 'other'))).rejects.toThrow('thing_pkey')
    await expect(mapConstraintErrors(meanings, () => Promise.reject(undefined))).rejects.toBeUndefined()
    await expect(
      mapConstraintErrors({ toString: meanings.thing_title_unique }, () => insert('v1', 'other')),
    ).rejects.toThrow('thing_pkey')
  })
})
