import { eventually, TcpLink } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { enqueue } from './outbox.ts'
import { openDatabase, poolState, query, startListening, type DataSource, type Listening } from './index.ts'
import { aLog, aThingsDatabase, thingsAt, type Things } from './test/things.ts'

let things: Things
let link: TcpLink
let database: DataSource
let listening: Listening

beforeAll(async () => {
  things = await aThingsDatabase()
  const url = new URL(things.url)
  link = await TcpLink.to(Number(url.port))
  url.hostname = '127.0.0.1'
  url.port = String(link.port)
  // A statement that was not answered is given up five seconds after its limit.
  database = await openDatabase({ ...thingsAt(url.href), statementTimeout: 1_000 })
  listening = startListening({ url: url.href, log: aLog() })
})
afterAll(async () => {
  await listening.stop()
  await database.destroy()
  await link.stop()
  await things.stop()
})

it('Connections of a server that has vanished are given up, also idle ones, and the next ones reach its successor', async () => {
  const select = () => query(database.manager, 'select pg_sleep(0.05)')
  await Promise.all([1, 2, 3, 4, 5].map(select))
  expect(poolState(database).total).toBe(5)
  let notified = 0
  listening.on('outbox', () => (notified += 1))
  await eventually(() => expect(listening.isUp()).toBe(true))

  link.cut()
  link.moveTo(Number(new URL(things.url).port))
  const unavailable = { code: 'unavailable', retryAfter: 1 }
  await expect(select()).rejects.toMatchObject(unavailable)
  // None of those that were idle is met by the next statements.
  await Promise.all([1, 2, 3, 4, 5].map(select))

  // Notifications arrive again, although the connection that listened was idle.
  await eventually(async () => {
    const before = notified
    const message = {
      id: `at ${before} ${Date.now()}`,
      subject: 'events.things.thing.made',
      payload: {},
      consumers: [],
    }
    await enqueue(things.database.manager, message)
    await eventually(() => expect(notified).toBeGreaterThan(before))
  })
})
