import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { deleteOldRequests, markCarriedOut, query, runOnce, type IdempotentRequest } from './index.ts'
import { aThingsDatabase, type Things } from './test/things.ts'

let things: Things
beforeAll(async () => (things = await aThingsDatabase()))
beforeEach(() => query(things.database.manager, 'truncate idempotent_requests, thing'))
afterAll(() => things.stop())

const aRequest = (more: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  userId: 'ada',
  operationId: 'createThing',
  key: 'a-key',
  fingerprint: 'a body',
  deadline: Date.now() + 10_000,
  ...more,
})

/** Creates a thing in a transaction, as a handler does, and replies with a text. */
async function createThing(attempt: string, id: string): Promise<Buffer> {
  await things.database.transaction(async db => {
    await markCarriedOut(db, attempt)
    await query(db, 'insert into thing (id) values ($1)', [id])
  })
  return Buffer.from(`created ${id}`)
}

let made = 0
const once = async (
  more: Partial<IdempotentRequest> = {},
  run = (attempt: string) => createThing(attempt, `${++made}`),
) => (await runOnce(things.database.manager, { request: aRequest(more), secret: ['secret'] }, run)).toString()
const created = async () =>
  (await query<{ count: number }>(things.database.manager, 'select count(*)::int as count from thing'))[0]?.count
const change = (assignments: string) => query(things.database.manager, `update idempotent_requests set ${assignments}`)

/** Leaves the request as a process leaves it that dies before (or after) its transaction committed. */
async function dieIn(state: 'running' | 'carried out'): Promise<void> {
  const dead = new Promise<Buffer>(() => undefined)
  const started = new Promise<string>(resolve => {
    void runOnce(
      things.database.manager,
      { request: aRequest(), secret: ['secret'] },
      attempt => (resolve(attempt), dead),
    )
  })
  const attempt = await started
  if (state === 'carried out') await createThing(attempt, 'of the dead')
}

describe('a request with an Idempotency-Key', () => {
  it('is carried out once, and repeated ones get the first reply', async () => {
    const first = await once()
    expect([await once(), await once()]).toEqual([first, first])
    expect(await created()).toBe(1)
  })

  it('is carried out once when many come at the same time', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => once()))
    expect(new Set(replies).size).toBe(1)
    expect(await created()).toBe(1)
  })

  it.each([
    ['another user', { userId: 'ben' }],
    ['another operation', { operationId: 'createOther' }],
    ['another key', { key: 'b-key' }],
  ])('is another one with %s', async (_what, more) => {
    expect(await once(more)).not.toBe(await once())
    expect(await created()).toBe(2)
  })

  it('with another body is a conflict, and changes nothing', async () => {
    await once()
    await expect(once({ fingerprint: 'another body' })).rejects.toMatchObject({ code: 'conflict' })
    expect(await created()).toBe(1)
  })

  it('that failed because the database was away is carried out as soon as that is back', async () => {
    const rename = (from: string, to: string) => query(things.database.manager, `alter table ${from} rename to ${to}`)
    const loseDatabase = async () => {
      await rename('idempotent_requests', 'requests_away')
      throw new Error('The database is away')
    }
    await expect(once({}, loseDatabase)).rejects.toThrow('The database is away')
    await rename('requests_away', 'idempotent_requests')
    // The lease of the first attempt ends later than this one waits.
    await once()
    expect(await created()).toBe(1)
  })

  it('that failed is carried out when it is repeated, with the same body or another', async () => {
    const failing = async () => Promise.reject(new Error('no'))
    await expect(once({}, failing)).rejects.toThrow('no')
    expect(await once({ fingerprint: 'another body' })).toMatch(/^created/)
  })

  it('is carried out anew after a day', async () => {
    const first = await once()
    await change(`created_at = now() - interval '25 hours'`)
    expect(await once({ fingerprint: 'another body' })).not.toBe(first)
  })

  it('leaves no reply that can be read without the key, and none after a day', async () => {
    await once({}, async () => Buffer.from('a token'))
    const [row] = await query<{ reply: Buffer }>(things.database.manager, 'select * from idempotent_requests')
    expect(JSON.stringify(row)).not.toContain('a-key')
    expect(row?.reply.toString('latin1')).not.toContain('a token')
    await deleteOldRequests(things.database.manager)
    expect(await query(things.database.manager, 'select id from idempotent_requests')).toHaveLength(1)
    await change(`created_at = now() - interval '25 hours'`)
    await deleteOldRequests(things.database.manager)
    expect(await query(things.database.manager, 'select id from idempotent_requests')).toEqual([])
  })
})

describe('a request whose first attempt has died', () => {
  const endLease = () => change(`leased_until = now() - interval '1 second'`)

  it('is carried out by a repeated one, once the attempt can run no longer', async () => {
    await dieIn('running')
    await endLease()
    expect(await once()).toMatch(/^created/)
    expect(await created()).toBe(1)
  })

  it('is a conflict while the attempt may still be running', async () => {
    await dieIn('running')
    await expect(once({ deadline: Date.now() + 100 })).rejects.toMatchObject({ code: 'conflict', retryAfter: 1 })
    expect(await created()).toBe(0)
  })

  it('is not carried out twice when its transaction had committed', async () => {
    await dieIn('carried out')
    await endLease()
    await expect(once()).rejects.toThrow('was carried out, but its reply was lost')
    expect(await created()).toBe(1)
  })

  it('rolls back an attempt that was only slow, and was taken over', async () => {
    let go = (): void => undefined
    const slow = once({}, async attempt => {
      await new Promise<void>(resolve => (go = resolve))
      return createThing(attempt, 'slow')
    })
    while ((await query(things.database.manager, 'select id from idempotent_requests')).length === 0);
    await endLease()
    const quick = await once()
    go()
    await expect(slow).rejects.toMatchObject({ code: 'conflict' })
    expect(await created()).toBe(1)
    expect(await once()).toBe(quick)
  })
})
