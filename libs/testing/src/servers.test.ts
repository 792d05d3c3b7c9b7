import { connect } from 'node:net'
import { once } from 'node:events'
import { Client } from 'pg'
import { expect, test } from '@jest/globals'
import { aDatabase, aNatsServer, aRestartableNats, eventually, lockRow, lockTable } from './index.ts'

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('databases of one template are migrated once and isolated from each other', async () => {
  let migrations = 0
  const template = {
    template: 'pages',
    migrate: async (url: string) => {
      migrations++
      await query(url, `CREATE TABLE page (title text); INSERT INTO page VALUES ('first')`)
    },
  }
  const [one, other] = await Promise.all([aDatabase(template), aDatabase(template)])
  await query(one.url, `INSERT INTO page VALUES ('second')`)
  expect(await query(one.url, 'SELECT title FROM page')).toHaveLength(2)
  expect(await query(other.url, 'SELECT title FROM page')).toHaveLength(1)
  expect(migrations).toBe(1)
  await one.drop()
  await expect(query(one.url, 'SELECT 1')).rejects.toThrow('does not exist')
  await other.drop()
})

test('a migration that failed leaves no template', async () => {
  const failing = { template: 'broken', migrate: (url: string) => query(url, 'CREATE TABEL page ()').then(() => {}) }
  await expect(aDatabase(failing)).rejects.toThrow('syntax error')
  const database = await aDatabase({
    template: 'broken',
    migrate: url => query(url, 'CREATE TABLE page ()').then(() => {}),
  })
  expect(await query(database.url, 'SELECT * FROM page')).toEqual([])
  await database.drop()
})

test('a migration has no superuser rights', async () => {
  const needsSuperuser = {
    template: 'superuser',
    migrate: (url: string) => query(url, `COPY (SELECT 1) TO PROGRAM 'cat'`).then(() => {}),
  }
  await expect(aDatabase(needsSuperuser)).rejects.toThrow('permission denied')
})

test('a locked row keeps others waiting until its release', async () => {
  const migrate = (url: string) =>
    query(url, `CREATE TABLE page (id text, title text); INSERT INTO page VALUES ('a', 'first')`).then(() => {})
  const { url, drop } = await aDatabase({ template: 'locked', migrate })
  const row = await lockRow(url, { table: 'page', id: 'a' })
  expect(await row.isAwaited()).toBe(false)
  const changed = query(url, `UPDATE page SET title = 'second'`)
  await eventually(async () => expect(await row.isAwaited()).toBe(true))
  await row.release()
  await changed
  expect(await query(url, 'SELECT title FROM page')).toEqual([{ title: 'second' }])
  await drop()
})

test('a locked table keeps writers waiting, and no readers', async () => {
  const migrate = (url: string) => query(url, 'CREATE TABLE note (id text)').then(() => {})
  const { url, drop } = await aDatabase({ template: 'locked-table', migrate })
  const table = await lockTable(url, 'note')
  expect(await query(url, 'SELECT id FROM note')).toEqual([])
  expect(await table.isAwaited()).toBe(false)
  const write = query(url, `INSERT INTO note VALUES ('a')`)
  await eventually(async () => expect(await table.isAwaited()).toBe(true))
  await table.release()
  await write
  expect(await query(url, 'SELECT id FROM note')).toEqual([{ id: 'a' }])
  await drop()
})

test('a nats-server that is killed comes back on its port', async () => {
  const nats = await aRestartableNats()
  const socket = connect(nats.port, nats.host)
  await once(socket, 'data')
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  await nats.restart()
  await closed
  const again = connect(nats.port, nats.host)
  expect(String((await once(again, 'data'))[0])).toContain('"jetstream":true')
  again.destroy()
  await nats.stop()
})

test('a nats-server has JetStream and the requested users', async () => {
  const users = [{ name: 'reader', password: 'secret', publish: [], subscribe: ['>'] }]
  const nats = await aNatsServer({ users })
  expect(nats.url).toBe(`nats://reader:secret@${nats.host}:${nats.port}`)
  const socket = connect(nats.port, nats.host)
  const [greeting] = await once(socket, 'data')
  expect(JSON.parse(String(greeting).slice('INFO '.length))).toMatchObject({ jetstream: true, auth_required: true })
  socket.destroy()
  await nats.stop()
})
