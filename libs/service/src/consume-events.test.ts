import { EventEmitter, once } from 'node:events'
import { migrate, query, transact } from '@recto/database'
import { events } from '@recto/operation'
import { aDatabase, aNatsServer, eventually, type TestDatabase, type TestNats } from '@recto/testing'
import { createLog, type Log } from '@recto/telemetry'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { narrowestFilter } from './events.ts'
import { type EventContext, implementEvents, type RunningService } from './index.ts'
import { notesAt, startToy } from './test/notes.ts'

const deskEvents = events({
  noteFiled: {
    subject: 'events.desk.note.filed',
    summary: 'A note was filed',
    payload: z.object({ id: z.string() }),
    consumers: ['desk', 'shelf'],
  },
  noteRead: {
    subject: 'events.desk.note.read',
    summary: 'A note was read',
    payload: z.object({ id: z.string() }),
    consumers: ['desk'],
  },
  noteLost: {
    subject: 'events.desk.note.lost',
    summary: 'A note was lost',
    payload: z.object({ id: z.string() }),
    consumers: [],
  },
})

let nats: TestNats
let databases: TestDatabase[] = []
const running: RunningService[] = []

async function open(): Promise<void> {
  nats = await aNatsServer()
  const template = { template: 'notes', migrate: async (url: string) => void (await migrate(notesAt(url))) }
  databases = [await aDatabase(template), await aDatabase(template)]
}

async function close(): Promise<void> {
  await Promise.all(running.splice(0).map(service => service.stop()))
  await Promise.all(databases.map(database => database.drop()))
  await nats.stop()
}

type Handle = (payload: { id: string }, context: EventContext) => Promise<void>
const write =
  (what: string): Handle =>
  async ({ id }, { tx }) =>
    void (await query(tx, 'insert into note (id) values ($1)', [`${what} ${id}`]))

async function start(
  name: 'desk' | 'shelf',
  handlers: Record<string, Handle>,
  onWarning: (message: string) => void = () => undefined,
): Promise<RunningService> {
  const url = databases[name === 'desk' ? 0 : 1]?.url ?? ''
  const service = await startToy(
    { natsUrl: nats.url, url },
    {
      name,
      redeliverAfter: 0.5,
      log: logTo(onWarning),
      build: () => ({ context: base => base, events: { events: deskEvents, handlers } }),
    },
  )
  running.push(service)
  return service
}
/** A log that passes on warnings and errors. */
function logTo(onWarning: (message: string) => void): Log {
  const log = createLog({ service: 'notes', level: 'silent' })
  const warn = (_details: object, message: string): void => onWarning(message)
  return Object.assign(Object.create(log) as Log, { warn, error: warn })
}
const notesOf = async ({ db }: RunningService) =>
  (await query<{ id: string }>(db, 'select id from note order by id')).map(({ id }) => id)
const waitingAt = ({ db }: RunningService) => query(db, 'select id from outbox where done_at is null')
/** Publishes an event through the outbox; resolves to the id of its message. */
async function publishFrom(desk: RunningService, event: (typeof deskEvents)[keyof typeof deskEvents], id: string) {
  const published: string[] = []
  await transact(
    desk.db,
    message => published.push(message.id),
    tx => tx.publish(event, { id }),
  )
  return { id: published[0] }
}

describe('a service that consumes events', () => {
  beforeEach(open)
  afterEach(close)

  it('handles those that name it as a consumer, its own too, and ignores others', async () => {
    const desk = await start('desk', { noteFiled: write('filed'), noteRead: write('read'), noteLost: write('lost') })
    const shelf = await start('shelf', { noteFiled: write('shelved') })
    for (const event of Object.values(deskEvents)) await publishFrom(desk, event, 'a')
    await eventually(async () => expect(await waitingAt(desk)).toEqual([]))
    expect([await notesOf(desk), await notesOf(shelf)]).toEqual([['filed a', 'read a'], ['shelved a']])
  })

  it('rolls back a failed attempt and retries', async () => {
    let attempts = 0
    const unsure: Handle = async (payload, context) => {
      await write('filed')(payload, context)
      if (++attempts < 3) throw new Error('not today')
    }
    const desk = await start('desk', { noteFiled: write('filed'), noteRead: write('read') })
    const shelf = await start('shelf', { noteFiled: unsure })
    await publishFrom(desk, deskEvents.noteFiled, 'a')
    await eventually(async () => expect(await waitingAt(desk)).toEqual([]))
    expect([attempts, await notesOf(shelf)]).toEqual([3, ['filed a']])
  })

  it('handles while the publisher is unavailable, and acknowledges the redelivered event without handling it again', async () => {
    const handlers = { noteFiled: write('filed'), noteRead: write('read') }
    const before = await start('desk', handlers)
    const { id } = await publishFrom(before, deskEvents.noteFiled, 'a')
    await eventually(async () => expect(await notesOf(before)).toEqual(['filed a']))
    await running.pop()?.stop()
    const shelf = await start('shelf', { noteFiled: write('shelved') })
    await eventually(async () => expect(await notesOf(shelf)).toEqual(['shelved a']))
    const after = await start('desk', handlers)
    await eventually(async () =>
      expect(
        await query(after.db, 'select acknowledged_by from outbox where id = $1 and done_at is not null', [id]),
      ).toHaveLength(1),
    )
    expect(await notesOf(shelf)).toEqual(['shelved a'])
  })

  it('holds no connection for copies of an event that is being handled, and logs nothing of them', async () => {
    const handler = new EventEmitter()
    const entered = once(handler, 'entered')
    const released = once(handler, 'released')
    const calls: string[] = []
    const slow: Handle = async (payload, context) => {
      calls.push(payload.id)
      if (payload.id === 'slow') {
        handler.emit('entered')
        await released
      }
      await write('shelved')(payload, context)
    }
    const logged: string[] = []
    const desk = await start('desk', { noteFiled: write('filed'), noteRead: write('read') })
    const shelf = await start('shelf', { noteFiled: slow }, (message: string) => logged.push(message))
    const { id } = await publishFrom(desk, deskEvents.noteFiled, 'slow')
    await entered
    const dispatches = () => query<{ dispatches: number }>(desk.db, 'select dispatches from outbox where id = $1', [id])
    await eventually(async () => expect((await dispatches())[0]?.dispatches).toBeGreaterThan(3))
    await publishFrom(desk, deskEvents.noteFiled, 'quick')
    await eventually(async () => expect(await notesOf(shelf)).toEqual(['shelved quick']))
    const open = `select query from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`
    await eventually(async () => expect(await query(shelf.db, open)).toHaveLength(1))
    handler.emit('released')
    await eventually(async () => expect(await waitingAt(desk)).toEqual([]))
    expect([calls, await notesOf(shelf), logged]).toEqual([['slow', 'quick'], ['shelved quick', 'shelved slow'], []])
  })

  it('does not start without a handler for an event that names it', async () => {
    await expect(start('desk', { noteFiled: write('filed') })).rejects.toThrow(
      'desk consumes the event noteRead and has no handler for it',
    )
  })
})

describe('filterOver', () => {
  it.each([
    ['one subject is itself', ['events.a.b.c'], 'events.a.b.c'],
    ['two of one noun', ['events.a.b.c', 'events.a.b.d'], 'events.a.b.>'],
    ['two of one service', ['events.a.b.c', 'events.a.d.e'], 'events.a.>'],
    ['the same of two services', ['events.a.recorded', 'events.b.recorded'], 'events.*.recorded'],
    ['two services', ['events.a.b.c', 'events.d.b.c', 'events.a.b.d'], 'events.>'],
  ])('%s', (_case, subjects, filter) => {
    expect(narrowestFilter(subjects)).toBe(filter)
  })
})

// Never called: these compile or they do not.
export function handlersFitTheirEvents(handle: Handle): void {
  const shelf = implementEvents<'shelf'>()
  shelf(deskEvents, { noteFiled: handle })
  // @ts-expect-error a missing handler does not compile
  shelf(deskEvents, {})
  // @ts-expect-error a handler of an event for other consumers does not compile
  shelf(deskEvents, { noteFiled: handle, noteRead: handle })
  // @ts-expect-error a payload of another shape does not compile
  shelf(deskEvents, { noteFiled: async ({ title }) => void title })
}
