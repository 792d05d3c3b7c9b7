import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { query, startListening, startRelay, type RelayOptions } from './index.ts'
import { acknowledge, postpone, enqueue, type WaitingMessage } from './outbox.ts'
import { aLog, aThingsDatabase, type Things } from './test/things.ts'

let things: Things
beforeAll(async () => (things = await aThingsDatabase()))
beforeEach(() => query(things.database.manager, 'truncate outbox, processed_messages, thing'))
afterAll(() => things.stop())

const subject = 'events.things.thing.made'
const say = (id: string, consumers: string[] = ['readers']) =>
  enqueue(things.database.manager, { id, subject, payload: { id }, consumers })

describe('a relay', () => {
  const running: { stop(): Promise<void> }[] = []
  function relaying(publish: (message: WaitingMessage) => Promise<void>, more: Partial<RelayOptions> = {}) {
    const log = aLog()
    const listening = startListening({ url: things.url, log })
    const relay = startRelay({
      database: things.database,
      listening,
      publish,
      log,
      every: 100,
      redeliverAfter: 60,
      // Only notifications and due messages have it sweep again.
      maxPause: 3_600_000,
      ...more,
    })
    const stop = async () => void (await Promise.all([listening.stop(), relay.stop()]))
    running.push({ stop })
    return { stop, log }
  }
  const stopAll = async () => void (await Promise.all(running.splice(0).map(relay => relay.stop())))
  // A connection listens to this channel last.
  const listeners = `from pg_stat_activity where datname = current_database() and query = 'listen records'`
  const listening = () =>
    eventually(async () =>
      expect(await query(things.database.manager, `select 1 ${listeners}`)).toHaveLength(running.length),
    )

  it('publishes a message as soon as its transaction commits, without waiting for the poll', async () => {
    const told: string[] = []
    relaying(async ({ id }) => void told.push(id), { every: 3_600_000 })
    await listening()
    await say('one')
    await eventually(() => expect(told).toEqual(['one']))
    await stopAll()
  })

  it('publishes a delayed message when it is due, and not before', async () => {
    const publishedAt = new Map<string, number>()
    await say('later')
    const dueAt = Date.now() + 2_000
    await postpone(things.database.manager, 'later', 2)
    relaying(async ({ id }) => void publishedAt.set(id, Date.now()))
    await listening()
    await say('now')
    await eventually(() => expect([...publishedAt.keys()].toSorted()).toEqual(['later', 'now']))
    expect(publishedAt.get('later')).toBeGreaterThanOrEqual(dueAt)
    await stopAll()
  })

  it('completes a message without consumers after publishing, and no other', async () => {
    relaying(async () => undefined)
    await say('nobody', [])
    await say('somebody')
    await eventually(async () => {
      expect(
        await query(
          things.database.manager,
          'select id, done_at is not null as done, dispatches from outbox order by id',
        ),
      ).toEqual([
        { id: 'nobody', done: true, dispatches: 1 },
        { id: 'somebody', done: false, dispatches: 1 },
      ])
    })
    await stopAll()
  })

  it('publishes each message once with several relays', async () => {
    const told: string[] = []
    for (let replica = 0; replica < 3; replica += 1) relaying(async ({ id }) => void told.push(id))
    const all = Array.from({ length: 300 }, (_, index) => `m${index}`)
    await Promise.all(all.map(id => say(id)))
    await eventually(() => expect(told.toSorted()).toEqual(all.toSorted()))
    await stopAll()
    expect(told).toHaveLength(300)
  })

  it('retries a message that the bus refused soon, and publishes the others meanwhile', async () => {
    const tries: string[] = []
    const { log } = relaying(async ({ id }) => {
      tries.push(id)
      if (id === 'refused' && tries.filter(tried => tried === id).length < 3) throw new Error('the bus is away')
    })
    await Promise.all([say('refused'), say('taken')])
    await eventually(() => expect(tries.toSorted()).toEqual(['refused', 'refused', 'refused', 'taken']))
    expect(log.lines).toContain('outbox could not be published, retrying')
    await stopAll()
  })

  it('republishes a message until it is acknowledged, and not afterwards', async () => {
    const told: string[] = []
    relaying(async ({ id }) => void told.push(id), { redeliverAfter: 0.1 })
    await Promise.all([say('silent'), say('confirmed')])
    await eventually(() => expect(told).toContain('confirmed'))
    await acknowledge(things.database.manager, ['confirmed'], 'readers')
    const before = told.filter(id => id === 'confirmed').length
    await eventually(() => expect(told.filter(id => id === 'silent').length).toBeGreaterThan(3))
    await stopAll()
    // One more may have been claimed before the acknowledgement.
    expect(told.filter(id => id === 'confirmed').length).toBeLessThanOrEqual(before + 1)
  })

  it('listens again when its connection is killed', async () => {
    const told: string[] = []
    relaying(async ({ id }) => void told.push(id), { every: 3_600_000 })
    await listening()
    await query(things.database.manager, `select pg_terminate_backend(pid) ${listeners}`)
    await eventually(async () => expect(await query(things.database.manager, `select 1 ${listeners}`)).toHaveLength(0))
    await listening()
    await say('after')
    await eventually(() => expect(told).toEqual(['after']))
    await stopAll()
  })

  it('that stops finishes the messages in progress and starts no others', async () => {
    let begun = 0
    let ended = 0
    const relay = relaying(async () => {
      begun += 1
      await sleep(100)
      ended += 1
    })
    await say('one')
    await eventually(() => expect(begun).toBe(1))
    await relay.stop()
    await say('two')
    await sleep(250)
    expect([begun, ended]).toEqual([1, 1])
    expect(await query(things.database.manager, `select 1 ${listeners}`)).toEqual([])
  })
})
