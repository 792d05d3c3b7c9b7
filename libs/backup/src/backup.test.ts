import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBlobStore, type BlobStore } from '@recto/blobs'
import { aDatabase, rowsOf, type TestDatabase, removeFolder } from '@recto/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { Client } from 'pg'
import { deleteOldBackups, listBackups, makeBackup, restoreBackup, verifyBackup, type Database } from './index.ts'

/** Two services: `orders` publishes an event in its outbox, `bills` consumes it. */
const schema = `
  create table migrations (id serial primary key, name text not null);
  insert into migrations (name) values ('First1'), ('Second2');
  create table outbox (id text primary key, done_at timestamptz);
  create table place (id text primary key, parent text references place, note text, size int, twice int generated always as (size * 2) stored);
  create table item (number int generated always as identity primary key, place text not null references place, picture bytea, tags text[], data jsonb);
  create table owner (id text primary key);
  create table deed (id text primary key, owner text not null references owner);
  alter table owner add column deed text references deed deferrable;
  create sequence counter;`

let folder: string
let source: TestDatabase[]
let target: TestDatabase[]
let store: BlobStore
let restored: BlobStore

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recto-backup-'))
  const one = () => aDatabase({ template: 'backup', migrate: url => run(url, schema) })
  source = [await one(), await one()]
  target = [await one(), await one()]
  store = createBlobStore({ url: pathToFileURL(join(folder, 'store')).href })
  restored = createBlobStore({ url: pathToFileURL(join(folder, 'restored')).href })
})

afterEach(async () => {
  for (const each of [...source, ...target]) await each.drop()
  await removeFolder(folder)
})

async function run(url: string, sql: string): Promise<void> {
  await rowsOf(url, sql)
}

const names = ['orders', 'bills']
const databasesOf = (databases: TestDatabase[]): Database[] =>
  databases.map(({ url }, index) => ({ name: names[index] ?? '', url }))
const backups = () => join(folder, 'backups')
const log = () => {}
const backup = () =>
  makeBackup({ databases: databasesOf(source), blobs: [{ name: 'files', store }], folder: backups(), log })
const migrated: [string, string[]][] = []
const migrate = async (name: string, migrations: string[]) => void migrated.push([name, migrations])
const restore = (name?: string) =>
  restoreBackup({
    databases: databasesOf(target),
    blobs: [{ name: 'files', store: restored }],
    folder: backups(),
    name,
    migrate,
    log,
  })
const urlOf = (databases: TestDatabase[], index = 0) => databases[index]?.url ?? ''

const oddRows = `
  insert into place (id, parent, note, size) values ('child', null, E'tab\\t, line\\n, back\\\\slash, \\\\N, \\u00e9\\U0001f600', 3), ('root', 'child', null, null), ('', 'root', '', -1);
  insert into item (place, picture, tags, data) select 'child', '\\x00ff0a0d5c', array['a b', null, '{"', 'null'], '{"a": [1, null, "\\\\u0001"]}' from generate_series(1, 3);
  select nextval('counter') from generate_series(1, 7)`

test('restores every row, generated numbers and blobs, after the migrations that the backup had', async () => {
  await run(urlOf(source), oddRows)
  const { hash } = await store.put(Buffer.from('a blob'))
  const manifest = await backup()
  expect(await verifyBackup(backups())).toEqual({ manifest, faults: [] })
  expect(await restore()).toEqual(manifest)
  expect(migrated.splice(0)).toEqual(names.map(name => [name, ['First1', 'Second2']]))
  for (const table of ['place', 'item']) {
    const rows = await rowsOf(urlOf(source), `select * from ${table} order by 1`)
    expect(rows).toHaveLength(3)
    expect(await rowsOf(urlOf(target), `select * from ${table} order by 1`)).toEqual(rows)
  }
  expect(await rowsOf(urlOf(target), `select nextval('counter')::int as value`)).toEqual([{ value: 8 }])
  expect(await rowsOf(urlOf(target), `insert into item (place) values ('root') returning number`)).toEqual([
    { number: 4 },
  ])
  expect((await restored.bytes(hash)).toString()).toBe('a blob')
})

test('tables that refer to each other are restored, if one of their foreign keys can wait', async () => {
  const rows = `begin; set constraints all deferred; insert into owner values ('owner', 'deed'); insert into deed values ('deed', 'owner'); commit`
  await run(urlOf(source), rows)
  await backup()
  await restore()
  expect(await rowsOf(urlOf(target), 'select o.deed, d.owner from owner o join deed d on d.owner = o.id')).toEqual([
    { deed: 'deed', owner: 'owner' },
  ])
})

test('is refused where there are rows, and changes nothing', async () => {
  await run(urlOf(source), oddRows)
  await backup()
  await run(urlOf(target, 1), `insert into place (id) values ('own')`)
  await expect(restore()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('bills has rows in place'),
  })
  expect(await rowsOf(urlOf(target), 'select * from place')).toEqual([])
})

test.each([
  ['a table', 'orders/place.copy.gz', 'damaged'],
  ['the list of blobs', 'blobs-files.gz', 'damaged'],
])('a damaged file of %s is found, and nothing of it restored', async (_what, file, message) => {
  await run(urlOf(source), oddRows)
  await store.put(Buffer.from('a blob'))
  const { name } = await backup()
  const path = join(backups(), name, file)
  const bytes = await readFile(path)
  await writeFile(path, Buffer.concat([bytes.subarray(0, 12), Buffer.from([(bytes[12] ?? 0) ^ 1]), bytes.subarray(13)]))
  expect((await verifyBackup(backups())).faults).toEqual([expect.stringContaining(message)])
  await expect(restore()).rejects.toMatchObject({ code: 'conflict' })
  expect(await rowsOf(urlOf(target), 'select * from place')).toEqual([])
  await writeFile(path, bytes)
  await restore()
})

test('a blob that is missing in the backup is found, and nothing restored', async () => {
  const { hash } = await store.put(Buffer.from('a blob'))
  await run(urlOf(source), oddRows)
  const { name } = await backup()
  await rm(join(backups(), 'blobs'), { recursive: true })
  expect((await verifyBackup(backups(), name)).faults).toEqual([`The blob ${hash} is missing or damaged.`])
  await expect(restore(name)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(hash) })
  expect(await rowsOf(urlOf(target), 'select * from place')).toEqual([])
})

test('an event that is done in one database was handled in the other, while both are written', async () => {
  let stopped = false
  const orders = urlOf(source)
  const bills = urlOf(source, 1)
  const writer = async (key: number): Promise<number> => {
    const first = new Client({ connectionString: orders })
    const second = new Client({ connectionString: bills })
    await Promise.all([first.connect(), second.connect()])
    let count = 0
    for (; !stopped; count++) {
      const id = `${key}-${count}`
      await first.query('insert into outbox (id) values ($1)', [id])
      await second.query('insert into place (id) values ($1)', [id])
      await first.query('update outbox set done_at = now() where id = $1', [id])
    }
    await Promise.all([first.end(), second.end()])
    return count
  }
  const writing = [1, 2, 3, 4].map(writer)
  for (let round = 0; round < 5; round++) await backup()
  stopped = true
  const writeCount = (await Promise.all(writing)).reduce((sum, count) => sum + count, 0)
  expect(writeCount).toBeGreaterThan(20)
  for (const name of (await listBackups(backups())).finished) {
    await restore(name)
    const done = await rowsOf(urlOf(target), 'select id from outbox where done_at is not null order by id')
    const handled = new Set(
      (await rowsOf(urlOf(target, 1), 'select id from place')).map(row => (row as { id: string }).id),
    )
    expect(done.filter(row => !handled.has((row as { id: string }).id))).toEqual([])
    await run(urlOf(target), 'truncate outbox')
    await run(urlOf(target, 1), 'truncate place cascade')
  }
})

test('waits for a transaction that writes events, and gives way to it', async () => {
  const writer = new Client({ connectionString: urlOf(source, 1) })
  await writer.connect()
  await writer.query(`begin; insert into outbox (id) values ('slow')`)
  const made = backup()
  const waiting = `select 1 from pg_locks where not granted and relation = 'outbox'::regclass`
  while ((await writer.query(waiting)).rowCount === 0) await new Promise(resolve => setTimeout(resolve, 10))
  // An attempt ends without the lock, so that the outbox of the first database is free in between.
  await run(urlOf(source), `insert into outbox (id) values ('meanwhile')`)
  await writer.query('commit')
  await writer.end()
  const { databases } = await made
  expect(databases.map(({ tables }) => tables.find(({ name }) => name === 'outbox')?.rows)).toEqual([1, 1])
})

test('keeps the newest backups and their blobs; an unfinished one is not one', async () => {
  const { hash: old } = await store.put(Buffer.from('old'))
  const { hash: blobHash } = await store.put(Buffer.from('kept'))
  const first = await backup()
  await store.delete(old)
  const second = await backup()
  await run(urlOf(source), 'drop table outbox')
  await expect(backup()).rejects.toThrow()
  const { finished, unfinished } = await listBackups(backups())
  expect([finished, unfinished.length]).toEqual([[second.name, first.name], 1])
  expect(await deleteOldBackups(backups(), 1)).toEqual({ backups: [first.name], blobs: 0 })
  await rm(join(backups(), unfinished[0] ?? ''), { recursive: true })
  expect(await deleteOldBackups(backups(), 1)).toEqual({ backups: [], blobs: 1 })
  const files = await readdir(join(backups(), 'blobs'), { recursive: true })
  expect(files.filter(file => file.length > 64).map(file => file.slice(-64))).toEqual([blobHash])
  expect((await verifyBackup(backups())).faults).toEqual([])
})
