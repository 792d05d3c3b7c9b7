import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { Failure } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openDatabase, prepared, query, type DataSource, type Db } from './index.ts'
import { enqueue } from './outbox.ts'
import { aThingsDatabase, thingsAt, type Things } from './test/things.ts'
import { failureOfDatabase } from './unavailable.ts'

const away = { code: 'unavailable', retryAfter: 1, message: 'The database is not available' }
const number = prepared<{ one: number }>('number', 'select 1 as one')
const message = (id: string) => ({ id, subject: 'events.things.thing.made', payload: {}, consumers: ['readers'] })

let things: Things
let other: DataSource
beforeAll(async () => {
  things = await aThingsDatabase()
  other = await openDatabase({ ...thingsAt(things.url), poolSize: 1 })
})
afterAll(async () => {
  await other.destroy()
  await things.stop()
})

/** Terminates the connection of a transaction as a server shutdown does, and waits until it is closed. */
async function terminate(db: Db): Promise<void> {
  const [backend] = await query<{ pid: number }>(db, 'select pg_backend_pid() as pid')
  const connection = (await db.queryRunner?.connect()) as NodeJS.EventEmitter
  const gone = new Promise(resolve => connection.once('end', resolve))
  await query(other.manager, 'select pg_terminate_backend($1)', [backend?.pid])
  await gone
}

it('a handle that is used after its transaction is a bug, not an outage', async () => {
  const handle = await things.database.transaction(async db => db)
  await expect(query(handle, 'select 1')).rejects.toThrow('already released')
})

describe('a connection that is lost between two statements of a transaction makes it unavailable', () => {
  it.each<[string, (db: Db) => Promise<unknown>]>([
    ['at a query', db => query(db, 'select 1')],
    ['at a prepared statement', db => number(db, [])],
    ['at a write', db => enqueue(db, message('lost'))],
    ['at a read of an entity', db => db.countBy('Outbox', {})],
    ['at the commit', async () => undefined],
  ])('%s', async (_when, next) => {
    const lost = things.database.transaction(async db => {
      await query(db, `insert into thing (id) values ('lost')`)
      await terminate(db)
      await next(db)
    })
    await expect(lost).rejects.toMatchObject(away)
    expect(await query(things.database.manager, `select id from thing where id = 'lost'`)).toEqual([])
  })
})

it('a connection that is lost while its statement runs is unavailable', async () => {
  const slow = Promise.all([
    query(things.database.manager, `select pg_sleep(60) as "lost while it runs"`),
    number(things.database.manager, []),
  ])
  const failed = expect(slow).rejects.toMatchObject(away)
  const sleeping = `select pg_terminate_backend(pid) as ended from pg_stat_activity where query like '%lost while it runs%' and pid <> pg_backend_pid()`
  while ((await query(other.manager, sleeping)).length === 0);
  await failed
})

/** A proxy to the database that, on request, ends a connection in the same packet as the end of its next statement. */
async function aTreacherousWay() {
  const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
  const said = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0')
  const fatal = Buffer.concat([Buffer.from([0x45, 0, 0, 0, said.length + 4]), said])
  const { hostname, port } = new URL(things.url)
  let isArmed = false
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream)
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    upstream.on('data', chunk => {
      if (!isArmed || !chunk.subarray(-ready.length).equals(ready)) return void client.write(chunk)
      isArmed = false
      client.end(Buffer.concat([chunk, fatal]))
    })
    client.on('close', () => upstream.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(things.url)
  // The database itself may be in a container, at another address.
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return { url: url.href, arm: () => (isArmed = true), close: () => server.close() }
}

it('a connection that ends while the pool passes it to the next client is unavailable, and affects no other', async () => {
  const way = await aTreacherousWay()
  const small = await openDatabase({ ...thingsAt(way.url), poolSize: 1 })
  way.arm()
  // The first client releases its connection to the second between the bytes that end it: no error listener is attached then.
  const first = number(small.manager, [])
  const second = query(small.manager, 'select 1')
  expect(await first).toEqual([{ one: 1 }])
  await expect(second).rejects.toMatchObject(away)
  expect(await number(small.manager, [])).toEqual([{ one: 1 }])
  await small.destroy()
  way.close()
})

it('a pool whose connections are all in use is unavailable after a while', async () => {
  const small = await openDatabase({ ...thingsAt(things.url), poolSize: 1, connectionTimeout: 2_000 })
  await small.transaction(async () => {
    await expect(query(small.manager, 'select 1')).rejects.toMatchObject(away)
    await expect(number(small.manager, [])).rejects.toMatchObject(away)
    await expect(small.transaction(async () => undefined)).rejects.toMatchObject(away)
  })
  expect(await number(small.manager, [])).toEqual([{ one: 1 }])
  await small.destroy()
})

it('a server without free connections, and one that does not respond, are unavailable', async () => {
  const name = new URL(things.url).pathname.slice(1)
  const crowded = await openDatabase({ ...thingsAt(things.url), poolSize: 2 })
  await crowded.transaction(async db => {
    await query(db, `alter database ${name} connection limit 1`)
    await db.queryRunner?.commitTransaction()
    await expect(query(crowded.manager, 'select 1')).rejects.toMatchObject(away)
    await query(db, `alter database ${name} connection limit -1`)
    await db.queryRunner?.startTransaction()
  })
  await crowded.destroy()

  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  await expect(
    openDatabase({ ...thingsAt(`postgres://nobody@127.0.0.1:${port}/nothing`), connectionTimeout: 50 }),
  ).rejects.toMatchObject(away)
  silent.close()
})

it('a statement that takes too long is a timeout', async () => {
  const hasty = await openDatabase({ ...thingsAt(things.url), poolSize: 1, statementTimeout: 20 })
  await expect(query(hasty.manager, 'select pg_sleep(60)')).rejects.toMatchObject({ code: 'timeout' })
  await expect(hasty.transaction(db => query(db, 'select pg_sleep(60)'))).rejects.toMatchObject({ code: 'timeout' })
  await hasty.destroy()
})

describe('an error of the database', () => {
  const coded = (code: string) => Object.assign(new Error('no'), { code })
  it.each(['57P01', '57P02', '57P03', '08006', '08001', '53300', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE'])(
    '%s is unavailable',
    code => {
      expect(failureOfDatabase(coded(code))).toMatchObject(away)
      expect(failureOfDatabase(Object.assign(new Error('no'), { driverError: coded(code) }))).toMatchObject(away)
    },
  )

  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('%j is unavailable', words => {
    expect(failureOfDatabase(new Error(words))).toMatchObject(away)
  })

  const others: [string, unknown][] = [
    ...['23505', '42601', '57P04', '08'].map((code): [string, unknown] => [code, coded(code)]),
    ['with other words', new Error('the Connection terminated')],
    ['with these words and another code', Object.assign(new Error('Connection terminated'), { code: '22P02' })],
    ...[new Failure('conflict', 'no'), undefined, null, 'Connection terminated'].map((thrown): [string, unknown] => [
      typeof thrown,
      thrown,
    ]),
  ]
  it.each(others)('%s is not changed', (_case, error) => expect(failureOfDatabase(error)).toBe(error))
})
