import { query, transact } from '@recto/database'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { receivers, type Receiver } from '../test/a-receiver.ts'
import { anEventService, organization, type EventsSetup } from '../test/events-setup.ts'

let setup: EventsSetup
let endpoints: Awaited<ReturnType<typeof receivers>>
let receiver: Receiver
let count = 0
let number = 0
beforeAll(async () => {
  endpoints = await receivers()
  setup = await anEventService({ OUTGOING_ALLOW: '127.0.0.1', WEBHOOK_TIMEOUT: '4000' })
})
beforeEach(async () => {
  await query(setup.service.db, 'truncate webhooks cascade')
  receiver = endpoints.receiver(`/hook-${(count += 1)}`)
})
afterAll(async () => {
  await setup.stop()
  await endpoints.stop()
})

const params = { organizationId: organization }
const admin = () => setup.as('admin')
const create = (settings: object = {}) => admin().createWebhook({ params, body: { url: receiver.url, ...settings } })
const at = ({ id }: { id: string }) => ({ ...params, webhookId: id })
const state = (webhook: { id: string }) => admin().getWebhook({ params: at(webhook) })
const deliveriesOf = async (webhook: { id: string }) =>
  (await admin().listWebhookDeliveries({ params: at(webhook), query: { limit: 100 } })).items.filter(
    ({ event }) => !event.type.startsWith('webhook.'),
  )
const happen = async (...changes: [type: string, subject: Record<string, string>][]) => {
  for (const [type, subject] of changes) await setup.deliver({ number: (number += 1), type, subject })
}
/** The event of its own creation, which the receiver accepts, would end what a webhook has failed. */
const updates = { types: ['space.updated'] }
const update = (space: string): [string, Record<string, string>] => ['space.updated', { space }]
const arrived = (spaces: (string | undefined)[], at = receiver) =>
  eventually(() => expect(distinct(at).map(({ space }) => space)).toEqual(spaces))
/** The messages of one resource come in order, those of several in any. */
const arrivedInAnyOrder = (spaces: (string | undefined)[]) =>
  eventually(() =>
    expect(
      distinct(receiver)
        .map(({ space }) => space)
        .sort(),
    ).toEqual(spaces),
  )
/** The first message of each event: on a busy machine an answer may be late, and its event is sent again. */
const distinct = ({ messages }: Receiver) =>
  [...new Map(messages.toReversed().map(message => [message.headers['webhook-id'], message])).values()].toReversed()
/** Makes what waits due now, as if time had passed. */
const passTime = () => query(setup.service.db, `update webhook_deliveries set due_at = now() where state = 'waiting'`)

describe('a webhook', () => {
  it('is sent what happens from now on, as the feed shows it, signed', async () => {
    await happen(update('before'))
    const { secret, ...webhook } = await create()
    await happen(update('a'), ['member.added', { user: 'bob' }])
    await arrivedInAnyOrder(['a', undefined])
    expect(receiver.isSigned(secret)).toBe(true)
    const message = receiver.messages.find(({ space }) => space === 'a')
    const { data, type, timestamp } = JSON.parse(message?.body ?? '') as Record<string, Record<string, unknown>>
    const { events } = await admin().listEvents({ params, query: { types: 'space.updated', space: 'a' } as never })
    expect([data, type, timestamp]).toEqual([events[0], 'space.updated', events[0]?.time])
    expect(message?.headers).toMatchObject({ 'webhook-id': events[0]?.id, 'content-type': 'application/json' })
    await eventually(async () =>
      expect((await deliveriesOf(webhook)).map(({ status }) => status)).toEqual(['delivered', 'delivered']),
    )
    expect(JSON.stringify(await state(webhook))).not.toContain(secret)
  })

  it('has one delivery of an event that is recorded while deliveries are planned', async () => {
    const { db } = setup.service
    const webhook = await create(updates)
    await happen(['space.created', { space: 'a' }])
    await eventually(async () =>
      expect(await query(db, 'select from webhooks join event_sequences on last = cursor')).toHaveLength(1),
    )
    // Plans have locked their webhook when they read events.
    const planning = `select from pg_locks read join pg_locks own on own.pid = read.pid
      where read.relation = 'events'::regclass and not read.granted
        and own.relation = 'webhooks'::regclass and own.mode = 'RowShareLock'`
    await transact(
      db,
      () => undefined,
      async tx => {
        await query(tx, 'lock table events in access exclusive mode')
        await query(db, 'update webhooks set cursor = cursor - 1')
        await admin().updateWebhook({ params: at(webhook), body: { types: ['space.updated', 'space.deleted'] } })
        await eventually(async () => expect(await query(tx, planning)).toHaveLength(1))
        await setup.deliverIn(tx, { number: (number += 1), subject: { space: 'b' } })
      },
    )
    await happen(update('c'))
    await arrivedInAnyOrder(['b', 'c'])
    await eventually(async () =>
      expect((await deliveriesOf(webhook)).map(({ status }) => status)).toEqual(['delivered', 'delivered']),
    )
  })

  it('is sent the types and the resources that it asks for, and nothing else', async () => {
    setup.readable.spaces.set('a', 'read')
    await create({ types: ['space.created', 'site.published'], space: 'a' })
    await expect(create({ space: 'unknown' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('body.space'),
    })
    await expect(create({ site: 'unknown' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('body.site'),
    })
    await happen(update('a'), ['space.created', { space: 'b' }], ['space.created', { space: 'a' }])
    await arrived(['a'])
    expect(distinct(receiver).map(({ type }) => type)).toEqual(['space.created'])
  })

  it('is signed with the former secret, too, for a day after a new one', async () => {
    const { secret: former, ...webhook } = await create()
    const { secret } = await admin().rotateWebhookSecret({ params: at(webhook) })
    await happen(update('a'))
    await arrived(['a'])
    expect([receiver.isSigned(former), receiver.isSigned(secret), former === secret]).toEqual([true, true, false])
    await query(setup.service.db, `update webhooks set former_until = now()`)
    await happen(update('b'))
    await arrived(['a', 'b'])
    expect([receiver.isSigned(former), receiver.isSigned(secret)]).toEqual([false, true])
  })

  it('is sent the events of one resource in order, also after failures, which hold up no other', async () => {
    const webhook = await create()
    let failures = 0
    receiver.answerWith(response => {
      const isA = receiver.messages.at(-1)?.space === 'a'
      if (isA) failures += 1
      response.writeHead(isA && failures < 3 ? 500 : 200).end('not now')
    })
    await happen(['space.created', { space: 'a' }], update('a'), update('b'))
    await eventually(() => expect(receiver.messages.map(({ space }) => space).toSorted()).toEqual(['a', 'b']))
    await eventually(async () => {
      await passTime()
      expect(receiver.messages.filter(({ space }) => space === 'a').map(({ type }) => type)).toEqual([
        'space.created',
        'space.created',
        'space.created',
        'space.updated',
      ])
    })
    expect(
      new Set(
        receiver.messages.filter(({ type }) => type === 'space.created').map(({ headers }) => headers['webhook-id']),
      ).size,
    ).toBe(1)
    const failed = (await deliveriesOf(webhook)).find(({ event }) => event.type === 'space.created')
    expect(failed?.attempts).toMatchObject([
      { status: 500, reply: 'not now', milliseconds: expect.any(Number) },
      { status: 500 },
      { status: 200 },
    ])
  })

  it('is left alone for a while when it fails again and again, and is sent all of it when it answers', async () => {
    const webhook = await create(updates)
    receiver.answerWith(response => void response.writeHead(503).end())
    await happen(...Array.from({ length: 8 }, (_, at) => update(`space ${at}`)))
    await eventually(async () => expect((await state(webhook)).pausedUntil).toBeDefined())
    expect(await state(webhook)).toMatchObject({ enabled: true, failingSince: expect.any(String) })
    receiver.answerWith(response => void response.writeHead(204).end())
    await eventually(async () => {
      await passTime()
      expect(await state(webhook)).toMatchObject({ waiting: 0 })
    })
    expect(await state(webhook)).not.toHaveProperty('failingSince')
    expect(new Set(receiver.messages.map(({ space }) => space)).size).toBe(8)
  })

  it.each([
    ['an endpoint that is gone', 410, 'gone', ''],
    [
      'one that has failed for five days',
      500,
      'failing',
      `update webhooks set failing_since = now() - interval '5 days'`,
    ],
  ])('is switched off with an event: %s', async (_what, status, disabledReason, sql) => {
    const webhook = await create(updates)
    if (sql) await query(setup.service.db, sql)
    receiver.answerWith(response => void response.writeHead(status).end())
    await happen(update('a'))
    await eventually(async () =>
      expect(await state(webhook)).toMatchObject({ enabled: false, disabledReason, waiting: 0 }),
    )
    await eventually(async () =>
      expect(
        (await admin().listEvents({ params, query: { types: 'webhook.disabled' } as never })).events,
      ).toContainEqual(
        expect.objectContaining({ subject: { webhook: webhook.id }, details: { reason: disabledReason } }),
      ),
    )
    receiver.answerWith(response => void response.writeHead(200).end())
    await admin().updateWebhook({ params: at(webhook), body: { enabled: true } })
    await happen(update('b'))
    await eventually(() => expect(receiver.messages.at(-1)?.space).toBe('b'))
  })

  it('is sent only what its owner may see when it is sent, and nothing any more when they have left', async () => {
    // Events of the tests before, such as of a webhook that was switched off, may arrive now.
    const webhook = await create({ types: ['space.updated', 'token.created'] })
    setup.memberships.set('ann', { role: 'read', teams: [] })
    setup.readable.spaces.clear()
    setup.readable.spaces.set('open', 'read')
    await happen(update('closed'), update('open'), ['token.created', { user: 'u', token: 't' }])
    await arrived(['open'])
    await eventually(async () =>
      expect((await deliveriesOf(webhook)).map(({ status }) => status).toSorted()).toEqual([
        'delivered',
        'skipped',
        'skipped',
      ]),
    )
    setup.memberships.delete('ann')
    await happen(update('open'))
    await eventually(async () =>
      expect(await state(webhook)).toMatchObject({ enabled: false, disabledReason: 'owner' }),
    )
    setup.memberships.set('ann', { role: 'admin', teams: [] })
    expect(distinct(receiver)).toHaveLength(1)
  })

  it('is sent an event later when it cannot be told who may see it, without trying all the time', async () => {
    const attempts = () => setup.logged().split('and is sent later').length - 1
    const before = attempts()
    const webhook = await create({ types: ['space.updated'] })
    setup.memberships.set('ann', { role: 'unheard' as never, teams: [] })
    await happen(update('a'))
    await eventually(() => expect(attempts()).toBe(before + 1))
    const [delivery] = await deliveriesOf(webhook)
    const { createdAt = '', nextAttemptAt = '' } = delivery ?? {}
    expect(Date.parse(nextAttemptAt) - Date.parse(createdAt)).toBeGreaterThanOrEqual(5_000)
    expect([delivery?.attempts, receiver.messages]).toEqual([[], []])
    setup.memberships.set('ann', { role: 'admin', teams: [] })
    await passTime()
    await arrived(['a'])
  })

  it('that is slow, never ends or answers without end delays no other', async () => {
    const slow = await create()
    receiver.answerWith(response => {
      if (receiver.messages.length % 2) return
      response.writeHead(200)
      const writing = setInterval(() => response.write('x'.repeat(10_000)), 5)
      response.on('close', () => clearInterval(writing))
    })
    const other = endpoints.receiver('/other')
    await create({ url: other.url })
    await happen(...Array.from({ length: 20 }, (_, at) => update(`space ${at}`)))
    await eventually(() => expect(distinct(other)).toHaveLength(20))
    await eventually(async () => {
      const attempts = (await deliveriesOf(slow)).flatMap(each => each.attempts)
      expect(attempts).toContainEqual(expect.objectContaining({ error: expect.stringContaining('in time') }))
      expect(attempts).toContainEqual(expect.objectContaining({ status: 200 }))
    })
  })

  it.each([
    ['a private address', 'http://10.0.0.1/hook', 'not a public address'],
    ['a redirect', undefined, undefined],
  ])('reaches no other place by %s', async (_what, url, error) => {
    receiver.answerWith(response => void response.writeHead(302, { location: `${endpoints.web.url}/elsewhere` }).end())
    const webhook = await create({ ...(url && { url }) })
    const result = await admin().testWebhook({ params: at(webhook) })
    expect(result).toMatchObject(error ? { error: expect.any(String) } : { status: 302 })
    expect(endpoints.web.requests('/elsewhere')).toBe(0)
  })

  it('is tested by an event that is none', async () => {
    const { secret, ...webhook } = await create()
    receiver.answerWith(response => void response.writeHead(201).end('hello'))
    expect(await admin().testWebhook({ params: at(webhook) })).toMatchObject({ status: 201, reply: 'hello' })
    expect(receiver.messages.map(({ type }) => type)).toEqual(['webhook.test'])
    expect(receiver.isSigned(secret)).toBe(true)
    expect(await deliveriesOf(webhook)).toEqual([])
  })

  it('is sent one event again, or all since a time', async () => {
    const webhook = await create()
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
    await setup.deliver({ number: (number += 1), time: ago(60_000), subject: { space: 'first' } })
    const since = ago(0)
    await setup.deliver({ number: (number += 1), time: since, subject: { space: 'second' } })
    const spaces = () => receiver.messages.map(({ space }) => space).toSorted()
    await eventually(() => expect(spaces()).toEqual(['first', 'second']))
    const second = (await deliveriesOf(webhook)).toSorted((a, b) => b.event.sequence - a.event.sequence)[0]
    const path = { ...at(webhook), deliveryId: second?.id ?? '' }
    await eventually(async () =>
      expect(await admin().getWebhookDelivery({ params: path })).toMatchObject({
        status: 'delivered',
        request: { headers: { 'webhook-id': second?.event.id }, body: expect.stringContaining('"second"') },
      }),
    )
    expect(await admin().replayWebhookDelivery({ params: path })).toMatchObject({ status: 'waiting' })
    await eventually(() => expect(spaces()).toEqual(['first', 'second', 'second']))
    await admin().replayWebhook({ params: at(webhook), body: { from: since } })
    await eventually(() => expect(spaces().filter(space => space === 'second')).toHaveLength(3))
    expect(spaces().filter(space => space === 'first')).toHaveLength(1)
    await admin().updateWebhook({ params: at(webhook), body: { enabled: false } })
    const switchedOff = { code: 'conflict', message: expect.stringContaining('switched off') }
    await expect(admin().replayWebhookDelivery({ params: path })).rejects.toMatchObject(switchedOff)
    await expect(admin().replayWebhook({ params: at(webhook), body: { from: since } })).rejects.toMatchObject(
      switchedOff,
    )
  })
})
