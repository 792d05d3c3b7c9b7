import { events, runWithOrigin, type RecordEntry } from '@recto/operation'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { z } from 'zod'
import { query, transact, type RecordedChange } from './index.ts'
import { aThingsDatabase, type Things } from './test/things.ts'

let things: Things
beforeAll(async () => (things = await aThingsDatabase()))
beforeEach(() => query(things.database.manager, 'truncate outbox, record_counters, thing'))
afterAll(() => things.stop())

const { thingRecorded } = events({
  thingRecorded: {
    subject: 'events.things.recorded',
    summary: 'A change of a thing is recorded',
    payload: z.looseObject({ organization: z.string() }),
    consumers: ['events'],
  },
})
const change = (organization: string, thing: string): RecordEntry => ({
  event: thingRecorded,
  type: 'thing.made',
  organization,
  subject: { thing },
})
const signals: string[] = []
const recordIn = (...entries: RecordEntry[]) =>
  transact(
    things.database.manager,
    ({ subject }) => void signals.push(subject),
    async tx => entries.forEach(entry => tx.record(entry)),
  )
const outboxChanges = async () =>
  (
    await query<{ payload: RecordedChange; consumers: string[] }>(
      things.database.manager,
      `select payload, consumers from outbox order by payload->>'organization', (payload->>'number')::int`,
    )
  ).map(({ payload, consumers }) => ({ ...payload, consumers }))

it('numbers the changes of each organization from one, in the order in which a transaction names them', async () => {
  await recordIn(change('b', '1'), change('a', '2'), change('b', '3'))
  await recordIn(change('b', '4'))
  expect(
    (await outboxChanges()).map(({ organization, number, subject }) => [organization, number, subject['thing']]),
  ).toEqual([
    ['a', 1, '2'],
    ['b', 1, '1'],
    ['b', 2, '3'],
    ['b', 3, '4'],
  ])
  expect((await outboxChanges()).every(({ consumers }) => consumers.join() === 'events')).toBe(true)
  expect(signals).toEqual([])
})

it('leaves no gap for a transaction that is rolled back, and no two of the same number for concurrent ones', async () => {
  const { manager } = things.database
  const many = Array.from({ length: 20 }, (_, at) =>
    transact(
      manager,
      () => undefined,
      async tx => {
        tx.record(change(at % 2 ? 'a' : 'b', String(at)))
        tx.record(change(at % 2 ? 'b' : 'a', String(at)))
        await query(tx, 'insert into thing (id) values ($1)', [String(at)])
        if (at % 5 === 0) throw new Error('rolled back')
      },
    ).catch(() => undefined),
  )
  await Promise.all(many)
  const numbers = async (of: string) =>
    (await outboxChanges()).filter(({ organization }) => organization === of).map(({ number }) => number)
  const expected = Array.from({ length: 16 }, (_, at) => at + 1)
  expect([await numbers('a'), await numbers('b')]).toEqual([expected, expected])
})

it('says who caused a change and how, unless the change itself says who', async () => {
  const origin = {
    actor: { kind: 'user', id: 'ann' },
    operationId: 'makeThing',
    requestId: 'r',
    client: { token: 't' },
  }
  await runWithOrigin(origin, () =>
    recordIn(change('a', '1'), { ...change('a', '2'), actor: { kind: 'user', id: 'bob' } }),
  )
  await recordIn(change('a', '3'))
  expect(await outboxChanges()).toMatchObject([
    { ...origin, id: expect.stringMatching(/^[\da-f-]{36}$/), time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    { ...origin, actor: { kind: 'user', id: 'bob' } },
    { number: 3 },
  ])
  expect((await outboxChanges())[2]).not.toHaveProperty('actor')
})
