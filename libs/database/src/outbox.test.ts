import { setTimeout as sleep } from 'node:timers/promises'
import { runInContext } from '@recto/telemetry'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { query } from './index.ts'
import {
  acknowledge,
  deleteOldMessages,
  handleOnce,
  markPublished,
  postpone,
  takeDue,
  waitingStates,
  enqueue,
  enqueueEvent,
} from './outbox.ts'
import { aThingsDatabase, type Things } from './test/things.ts'

let things: Things
beforeAll(async () => (things = await aThingsDatabase()))
beforeEach(() => query(things.database.manager, 'truncate outbox, processed_messages, thing'))
afterAll(() => things.stop())

const subject = 'events.things.thing.made'
const say = (id: string, consumers: string[] = ['readers']) =>
  enqueue(things.database.manager, { id, subject, payload: { id }, consumers })
const take = (limit = 100, redeliverAfter = 60) => takeDue(things.database.manager, { limit, redeliverAfter })
const idsOf = (messages: { id: string }[]) => messages.map(message => message.id).toSorted()

/** Makes all delayed messages due. */
const wait = () => query(things.database.manager, `update outbox set dispatch_at = now() - interval '1 second'`)

describe('a message', () => {
  it('of a transaction that is rolled back is never published', async () => {
    const failing = things.database.transaction(async db => {
      await enqueue(db, { id: 'lost', subject, payload: {}, consumers: [] })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await take()).toEqual([])
  })

  it('is due at once, and again only after the redelivery delay', async () => {
    await say('one')
    expect(await take()).toEqual([
      {
        id: 'one',
        subject,
        payload: { id: 'one' },
        consumers: ['readers'],
        dispatches: 1,
        enqueuedAt: expect.any(Number),
        trace: null,
      },
    ])
    expect(await take()).toEqual([])
  })

  it('carries the trace of the request that enqueued it last', async () => {
    const traceparent = (id: string) => `00-4bf92f3577b34da6a3ce929d0e0e4736-${id}-01`
    const sayIn = (incoming: Record<string, string>) => runInContext({}, () => say('one'), incoming)
    await sayIn({ traceparent: traceparent('00f067aa0ba902b7') })
    await sayIn({ traceparent: traceparent('00f067aa0ba902b8') })
    expect(await take()).toMatchObject([{ trace: { traceparent: traceparent('00f067aa0ba902b8') } }])
  })

  it('that is not acknowledged is due again with growing delays', async () => {
    await say('one')
    const waits = []
    for (let tries = 1; tries <= 12; tries += 1) {
      expect(await take()).toMatchObject([{ id: 'one', dispatches: tries }])
      const [row] = await query<{ seconds: string }>(
        things.database.manager,
        'select round(extract(epoch from dispatch_at - now())) as seconds from outbox',
      )
      waits.push(Number(row?.seconds))
      await wait()
    }
    expect(waits).toEqual([60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 600, 600])
  })

  it('is completed when all of its consumers have acknowledged it, in any order and repeatedly', async () => {
    const db = things.database.manager
    await say('one', ['readers', 'writers'])
    for (const consumer of ['writers', 'writers', 'strangers']) await acknowledge(db, ['one', 'unknown'], consumer)
    expect(idsOf(await take())).toEqual(['one'])
    await acknowledge(db, ['one'], 'readers')
    await wait()
    expect(await take()).toEqual([])
  })

  it('that is enqueued again under its id waits for all of its consumers again', async () => {
    const db = things.database.manager
    await say('one', ['readers', 'writers'])
    for (const consumer of ['readers', 'writers']) await acknowledge(db, ['one'], consumer)
    await say('one', ['readers', 'writers'])
    await acknowledge(db, ['one'], 'readers')
    await wait()
    expect(idsOf(await take())).toEqual(['one'])
  })

  it('that its consumers acknowledge concurrently is completed', async () => {
    const consumers = ['a', 'b', 'c', 'd']
    await say('one', consumers)
    await Promise.all(consumers.map(consumer => acknowledge(things.database.manager, ['one'], consumer)))
    expect(await take()).toEqual([])
  })

  it('may be delayed, and may be completed without acknowledgements', async () => {
    await Promise.all([say('later'), say('done')])
    await postpone(things.database.manager, 'later', 100)
    await markPublished(things.database.manager, 'done')
    expect(await take()).toEqual([])
    await wait()
    expect(idsOf(await take())).toEqual(['later'])
  })

  it('that is enqueued again with its id is published again', async () => {
    await say('one')
    const [first] = await take()
    await wait()
    const [dispatchedAgain] = await take()
    expect(dispatchedAgain?.enqueuedAt).toBe(first?.enqueuedAt)
    await acknowledge(things.database.manager, ['one'], 'readers')
    await sleep(5)
    await say('one')
    const [toldAgain] = await take()
    expect(toldAgain).toMatchObject({ id: 'one', dispatches: 1 })
    expect(toldAgain?.enqueuedAt).toBeGreaterThan(first?.enqueuedAt ?? 0)
    await acknowledge(things.database.manager, ['one'], 'readers')
    await wait()
    expect(await take()).toEqual([])
  })

  it('of an event is parsed by it', async () => {
    const event = {
      subject,
      summary: 'A thing was made',
      payload: z.object({ id: z.string() }),
      consumers: ['readers'],
    } as const
    const told = await enqueueEvent(things.database.manager, event, { id: 'a', secret: 'hunter2' } as { id: string })
    expect(told).toEqual({
      id: expect.stringMatching(/^\w{20}$/),
      subject,
      payload: { id: 'a' },
      consumers: ['readers'],
    })
    expect(await take()).toMatchObject([{ id: told.id, payload: { id: 'a' } }])
    await expect(enqueueEvent(things.database.manager, event, { id: 5 } as never)).rejects.toThrow()
  })

  it('is deleted some days after its completion, and never before it', async () => {
    await Promise.all([say('done'), say('waits')])
    await acknowledge(things.database.manager, ['done'], 'readers')
    await handleOnce(things.database.manager, 'handled', async () => undefined)
    await query(
      things.database.manager,
      `update outbox set created_at = '2020-01-01', done_at = done_at - interval '8 days'`,
    )
    await query(things.database.manager, `update processed_messages set processed_at = now() - interval '8 days'`)
    await deleteOldMessages(things.database.manager, 7)
    expect(
      await query(things.database.manager, 'select id from outbox union all select id from processed_messages'),
    ).toEqual([{ id: 'waits' }])
  })

  it('is claimed by one of several concurrent relays', async () => {
    const all = Array.from({ length: 200 }, (_, index) => `m${index}`)
    await Promise.all(all.map(id => say(id)))
    const taken = await Promise.all(Array.from({ length: 8 }, () => take(50)))
    expect(taken.flat()).toHaveLength(200)
    expect(new Set(taken.flat().map(message => message.id)).size).toBe(200)
    expect(Math.max(...taken.map(batch => batch.length))).toBe(50)
  })
})

describe('a message that is delivered', () => {
  const make = (id: string) => async (db: Things['database']['manager']) =>
    void (await query(db, 'insert into thing (id) values ($1)', [id]))

  it('is handled once despite repeated and concurrent deliveries', async () => {
    const handled = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => handleOnce(things.database.manager, 'one', make(`thing ${turn}`))),
    )
    expect(handled.filter(handling => handling === 'handled')).toHaveLength(1)
    expect(await handleOnce(things.database.manager, 'one', make('again'))).toBe('repeated')
    expect(await query(things.database.manager, 'select id from thing')).toHaveLength(1)
  })

  it('is handled at the next delivery when its handler fails', async () => {
    const failing = handleOnce(things.database.manager, 'one', async db => {
      await make('half')(db)
      throw new Error('broken')
    })
    await expect(failing).rejects.toThrow('broken')
    expect(await query(things.database.manager, 'select id from thing')).toEqual([])
    expect(await handleOnce(things.database.manager, 'one', make('whole'))).toBe('handled')
  })

  it('that another delivery is handling waits for nothing, and is handled by a later one when that fails', async () => {
    const entered = aSignal()
    const broken = aSignal()
    const first = handleOnce(things.database.manager, 'one', async () => {
      entered.give()
      await broken.whenGiven
      throw new Error('broken')
    })
    await entered.whenGiven
    const copies = Array.from({ length: 20 }, () => handleOnce(things.database.manager, 'one', make('copy')))
    expect(new Set(await Promise.all(copies))).toEqual(new Set(['in progress']))
    expect(await handleOnce(things.database.manager, 'two', make('another'))).toBe('handled')
    broken.give()
    await expect(first).rejects.toThrow('broken')
    expect(await handleOnce(things.database.manager, 'one', make('later'))).toBe('handled')
  })
})

/** A promise that is resolved from outside. */
function aSignal(): { whenGiven: Promise<void>; give(): void } {
  let give = () => {}
  const whenGiven = new Promise<void>(resolve => {
    give = resolve
  })
  return { whenGiven, give: () => give() }
}

describe('what waits', () => {
  const states = () => waitingStates(things.database.manager)
  const age = (id: string, seconds: number) =>
    query(
      things.database.manager,
      `update outbox set created_at = now() - make_interval(secs => $2), dispatch_at = now() - make_interval(secs => $2)
       where id = $1`,
      [id, seconds],
    )

  it('is nothing in an empty outbox', async () => {
    const none = { depth: 0, oldest: 0 }
    expect(await states()).toEqual({ outbox: none, events: none })
  })

  it('is counted by kind, with the age of the oldest and how long it is overdue', async () => {
    const db = things.database.manager
    for (const id of ['one', 'two', 'done']) await say(id)
    await enqueue(db, { id: 'job', subject: 'jobs.things.make', payload: {}, consumers: ['worker'] })
    await Promise.all([age('one', 100), age('job', 400), markPublished(db, 'done')])
    const oneHundred = expect.closeTo(100, -1.5)
    const fourHundred = expect.closeTo(400, -1.5)
    expect(await states()).toEqual({
      outbox: { depth: 3, oldest: fourHundred },
      events: { depth: 2, oldest: oneHundred },
      'jobs.things.make': { depth: 1, oldest: fourHundred },
    })
    await take()
    expect(await states()).toEqual({
      outbox: { depth: 3, oldest: 0 },
      events: { depth: 2, oldest: oneHundred },
      'jobs.things.make': { depth: 1, oldest: fourHundred },
    })
  })
})
