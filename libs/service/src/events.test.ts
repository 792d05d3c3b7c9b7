import { busClient, connectBus, consume, type Bus } from '@recto/bus'
import { migrate, query } from '@recto/database'
import { currentTraceId, runInContext } from '@recto/telemetry'
import { aDatabase, aNatsServer, eventually, type TestDatabase, type TestNats } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import type { RunningService } from './index.ts'
import { notesAt, startReader, startWriter, writerApi } from './test/notes.ts'

let nats: TestNats
let operator: Bus
const databases: TestDatabase[] = []
const services: RunningService[] = []
let writer: RunningService | undefined
let reader: RunningService | undefined
let archive: RunningService | undefined
/** The reader's handling of a note. */
let onNote: () => void = () => undefined

beforeAll(async () => {
  nats = await aNatsServer()
  const template = { template: 'notes', migrate: async (url: string) => void (await migrate(notesAt(url))) }
  for (let count = 0; count < 3; count += 1) databases.push(await aDatabase(template))
  const [first, second, third] = databases.map(({ url }) => ({ natsUrl: nats.url, url })) as [Where, Where, Where]
  // Two writers on one database: replicas.
  services.push(
    await startWriter(first),
    await startReader(second, 'reader', () => onNote()),
    await startReader(third, 'archive'),
    await startWriter(first),
  )
  ;[writer, reader, archive] = services
  operator = await connectBus({ url: nats.url, service: 'operator' })
})
beforeEach(async () => {
  for (const service of services) await query(service.db, 'truncate note, outbox, processed_messages')
})
afterAll(async () => {
  await Promise.all(services.map(service => service.stop()))
  await operator.drain()
  await Promise.all(databases.map(database => database.drop()))
  await nats.stop()
})

interface Where {
  natsUrl: string
  url: string
}
const client = () => busClient(operator, writerApi, { service: 'writer', prefix: 'api' })
const notesOf = async (service: RunningService | undefined) =>
  (service ? await query<{ id: string }>(service.db, 'select id from note order by id') : []).map(note => note.id)
const waiting = async () => (writer ? query(writer.db, 'select id from outbox where done_at is null') : [])
const events = () => operator.manager.streams.info('EVENTS')

it('an event is stored under the id of its row, once although it is signalled and relayed', async () => {
  await eventually(() => events())
  await operator.manager.streams.purge('EVENTS')
  await client().writeNote({ body: { id: 'a' } })
  await eventually(async () => expect(await waiting()).toEqual([]))
  const [row] = writer
    ? await query<{ id: string; dispatches: number }>(writer.db, 'select id, dispatches from outbox')
    : []
  const { state } = await events()
  const stored = await operator.manager.streams.getMessage('EVENTS', { seq: state.first_seq })
  expect(stored?.header.get('Nats-Msg-Id')).toBe(row?.id)
  // The first dispatch repeats the signal; on a slow machine there may be more before the acknowledgement.
  expect(state.messages).toBe(row?.dispatches)
})

it('an event of a transaction that rolled back is never published', async () => {
  await expect(client().writeNote({ body: { id: 'never', fail: true } })).rejects.toThrow('No such note')
  await client().writeNote({ body: { id: 'kept' } })
  await eventually(async () =>
    expect([await notesOf(reader), await notesOf(archive), await waiting()]).toEqual([['kept'], ['kept'], []]),
  )
  expect(await notesOf(writer)).toEqual(['kept'])
})

it('a job that is enqueued again under its id is done again, and one that is only dispatched again is not', async () => {
  const printed: unknown[] = []
  const log = { error: () => undefined, warn: () => undefined }
  const printer = consume(operator, {
    stream: 'JOBS',
    filter: 'jobs.writer.print',
    ackWait: 2_000,
    maxDeliver: 3,
    maxInFlight: 5,
    log,
    deadLettered: async () => undefined,
    handle: async ({ payload }) => (printed.push(payload), 'done'),
  })
  const dispatches = async () =>
    (writer ? await query<{ dispatches: number }>(writer.db, 'select dispatches from outbox') : [])[0]?.dispatches
  await client().printNote({ params: { id: 'a' } })
  await eventually(async () => expect(await dispatches()).toBeGreaterThan(2))
  expect(printed).toEqual([{ id: 'a' }])
  await client().printNote({ params: { id: 'a' } })
  await eventually(() => expect(printed).toEqual([{ id: 'a' }, { id: 'a' }]))
  await printer.stop()
})

it('an event and a job are handled in the trace of the request that enqueued them', async () => {
  const traces: unknown[] = []
  const note = () => void traces.push(currentTraceId())
  const log = { error: () => undefined, warn: () => undefined }
  const printer = consume(operator, {
    stream: 'JOBS',
    filter: 'jobs.writer.print',
    ackWait: 2_000,
    maxDeliver: 3,
    maxInFlight: 5,
    log,
    deadLettered: async () => undefined,
    handle: async () => (note(), 'done'),
  })
  onNote = note
  await runInContext({}, () => client().writeNote({ body: { id: 'traced' } }), {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  })
  await eventually(() => expect(traces).toEqual(['4bf92f3577b34da6a3ce929d0e0e4736']))
  await runInContext({}, () => client().printNote({ params: { id: 'traced' } }), {
    traceparent: '00-5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  })
  await eventually(() => expect(traces[1]).toBe('5bf92f3577b34da6a3ce929d0e0e4736'))
  onNote = () => undefined
  await printer.stop()
})

it('deleting the whole stream at any moment loses nothing: every event is handled exactly once by each consumer', async () => {
  const all = Array.from({ length: 300 }, (_, index) => `note ${String(index).padStart(3, '0')}`)
  const stream = 'EVENTS'
  for (const [index, id] of all.entries()) {
    await client().writeNote({ body: { id } })
    if (index % 50 === 25) await operator.manager.streams.delete(stream).catch(() => false)
  }
  await operator.manager.streams.delete(stream).catch(() => false)
  await eventually(async () => expect(await waiting()).toEqual([]))
  expect(await notesOf(reader)).toEqual(all)
  expect(await notesOf(archive)).toEqual(all)
  expect(await notesOf(writer)).toEqual(all)
})
