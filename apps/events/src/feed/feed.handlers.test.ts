import { eventually } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { query, transact } from '@recto/database'
import type { RunTransaction } from '@recto/service'
import { stuckChangeAppending } from '../record/append-stuck-changes.ts'
import { oldEventDeletion } from '../record/delete-old-events.ts'
import { anEventService, organization, type EventsSetup } from '../test/events-setup.ts'

let setup: EventsSetup
beforeAll(async () => (setup = await anEventService()))
afterAll(() => setup.stop())
beforeEach(async () => {
  await query(setup.service.db, 'truncate events, event_sequences, source_positions, early_changes')
  for (const ids of Object.values(setup.readable)) ids.clear()
})

const params = { organizationId: organization }
const admin = () => setup.as('admin')
const read = (input: object = {}, client = admin()) => client.listEvents({ params, query: input })
const spacesIn = ({ events }: Awaited<ReturnType<typeof read>>) => events.map(({ subject }) => subject.space)
const deliver = async (...numbers: number[]) => {
  for (const number of numbers) await setup.deliver({ number })
}

describe('the feed of an organization', () => {
  it('has the changes in the order in which their service counted them, whatever the order of their arrival', async () => {
    await deliver(2, 4, 1)
    expect(spacesIn(await read())).toEqual(['space 1', 'space 2'])
    await deliver(3, 6)
    const { events } = await read()
    expect(events.map(({ sequence, subject }) => [sequence, subject.space])).toEqual(
      [1, 2, 3, 4].map(number => [number, `space ${number}`]),
    )
  })

  it('has a change once that is delivered twice, early or late', async () => {
    const change = { number: 1, id: crypto.randomUUID() }
    const early = { number: 3, id: crypto.randomUUID() }
    for (const each of [change, change, early, early]) await setup.deliver(each)
    await deliver(2)
    for (const each of [change, early]) await setup.deliver(each)
    expect(spacesIn(await read())).toEqual(['space 1', 'space 2', 'space 3'])
  })

  it('goes on with changes of a service that was restored from a backup and counts numbers again', async () => {
    await deliver(1, 2, 3)
    await deliver(2)
    await deliver(3)
    await deliver(4)
    expect(spacesIn(await read())).toEqual([1, 2, 3, 2, 3, 4].map(number => `space ${number}`))
  })

  it('counts each service on its own, and names facts but not from where a caller came', async () => {
    const client = { address: '192.0.2.7', userAgent: 'curl', token: 'token' }
    await setup.deliver({ number: 1, actor: { kind: 'user', id: 'bob' }, requestId: 'r', operationId: 'o', client })
    await setup.deliver({ number: 1, type: 'site.updated', subject: { site: 's' } }, 'publishing')
    const { events } = await read()
    expect(events).toMatchObject([
      { sequence: 1, type: 'space.updated', actor: { type: 'user', id: 'bob' }, request: 'r', operation: 'o' },
      { sequence: 2, type: 'site.updated', subject: { site: 's' }, actor: { type: 'system' } },
    ])
    expect(JSON.stringify(events)).not.toContain('192.0.2.7')
  })

  it('is continued behind the cursor of an event or of a reply, and tells of none that was missed', async () => {
    await deliver(1, 2, 3)
    const first = await read({ limit: 2 })
    expect(spacesIn(first)).toEqual(['space 1', 'space 2'])
    expect(first.cursor).toBe(first.events[1]?.cursor)
    const rest = await read({ after: first.cursor })
    expect(spacesIn(rest)).toEqual(['space 3'])
    expect(await read({ after: rest.cursor })).toEqual({ object: 'events', events: [], cursor: rest.cursor })
    expect(await read({ after: 'latest' })).toEqual({ object: 'events', events: [], cursor: rest.cursor })
  })

  it('shows only the types and the resources that are asked for, and its cursor is behind what they left out', async () => {
    await setup.deliver({ number: 1, subject: { space: 'a' } })
    await setup.deliver({ number: 2, type: 'space.created', subject: { space: 'b' } })
    await setup.deliver({ number: 3, type: 'change-request.merged', subject: { space: 'a', changeRequest: 'c' } })
    await setup.deliver({ number: 4, type: 'space.updated', subject: { space: 'b' } })
    const sequences = async (input: object) => (await read(input)).events.map(({ sequence }) => sequence)
    expect(await sequences({ space: 'a' })).toEqual([1, 3])
    expect(await sequences({ types: 'space.created,change-request.merged' })).toEqual([2, 3])
    expect(await sequences({ types: 'space.created', space: 'a' })).toEqual([])
    const { cursor } = await read({ space: 'a' })
    expect(spacesIn(await read({ after: cursor }))).toEqual([])
    await expect(read({ types: 'space.created,unheard' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('query.types'),
    })
  })

  it.each<[string, Parameters<EventsSetup['as']>[0], string[]]>([
    ['an admin', 'admin', ['space', 'comment', 'space', 'collection', 'site', 'site', 'member', 'token']],
    ['a commenter of the space', 'comment', ['space', 'comment', 'member']],
    ['a manager of the space', 'create', ['space', 'comment', 'space', 'member']],
    ['a member', 'read', ['space', 'member']],
    ['a guest', null, ['space']],
  ])('shows %s what they may read now', async (_who, role, expected) => {
    const kinds = [
      { type: 'space.updated', subject: { space: 'open' } },
      { type: 'comment.created', subject: { space: 'open', comment: 'c' } },
      { type: 'space.permissions.updated', subject: { space: 'open' } },
      { type: 'collection.updated', subject: { collection: 'closed' } },
      { type: 'site.updated', subject: { site: 'closed' } },
      { type: 'site.permissions.updated', subject: { site: 'open' } },
      { type: 'member.added', subject: { user: 'bob' } },
      { type: 'token.created', subject: { user: 'bob', token: 't' } },
    ]
    for (const [at, change] of kinds.entries()) await setup.deliver({ number: at + 1, ...change })
    setup.readable.sites.set('open', 'read')
    setup.readable.spaces.set('open', role === 'comment' || role === 'create' ? role : 'read')
    const { events, cursor } = await read({}, setup.as(role))
    expect(events.map(({ type }) => type.split('.')[0])).toEqual(expected)
    expect(cursor).toBe((await read({ after: 'latest' })).cursor)
  })

  it('is not found by outsiders, and its cursors are of no use elsewhere', async () => {
    await deliver(1)
    await expect(read({}, setup.as(undefined))).rejects.toMatchObject({ code: 'not_found' })
    await expect(read({ after: `1-${'0'.repeat(16)}` })).rejects.toMatchObject({ code: 'gone' })
    await expect(read({ after: `9-${'0'.repeat(16)}` })).rejects.toMatchObject({ code: 'gone' })
    await expect(read({ after: 'x' })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('begins with what is kept, and says where, to who is too late', async () => {
    const old = new Date(Date.now() - 31 * 86_400_000).toISOString()
    await setup.deliver({ number: 1, time: old })
    const { cursor: tooOld } = await read({ after: 'latest' })
    await setup.deliver({ number: 2, time: old })
    await deliver(3)
    expect(spacesIn(await read())).toEqual(['space 3'])
    const failure = await read({ after: tooOld }).catch((error: Error) => error as Error & { code: string })
    expect(failure).toMatchObject({ code: 'gone' })
    const oldest = /(\d+-\w+)$/.exec((failure as Error).message)?.[1]
    expect(spacesIn(await read({ after: oldest }))).toEqual(['space 3'])
  })

  it('continues behind the last event also when that is not kept any more', async () => {
    await setup.deliver({ number: 1, time: '2020-01-01T00:00:00.000Z' })
    const { cursor } = await read({ after: 'latest' })
    const transaction: RunTransaction = work => transact(setup.service.db, () => undefined, work)
    await oldEventDeletion(transaction, 400 * 86_400_000).run(new AbortController().signal)
    expect(await read({ after: cursor })).toMatchObject({ events: [], cursor })
    await deliver(2)
    expect(spacesIn(await read({ after: cursor }))).toEqual(['space 2'])
    const failure = await read({ after: '0' }).catch((error: Error) => error)
    expect(failure).toMatchObject({ code: 'gone', message: expect.stringContaining(cursor) })
  })

  it('goes on without changes that do not arrive, and has them when they arrive after all', async () => {
    await deliver(1, 3, 4, 6)
    const transaction: RunTransaction = work => transact(setup.service.db, () => undefined, work)
    const { run } = stuckChangeAppending(transaction, { error: (details: object) => void lost.push(details) } as never)
    const lost: object[] = []
    await run(new AbortController().signal)
    expect([spacesIn(await read()), lost]).toEqual([['space 1'], []])
    await query(setup.service.db, `update early_changes set arrived_at = now() - interval '2 hours' where number = 3`)
    await run(new AbortController().signal)
    expect(spacesIn(await read())).toEqual([1, 3, 4].map(number => `space ${number}`))
    expect(lost).toEqual([{ organizationId: organization, source: 'content', first: 2, last: 2 }])
    await deliver(2, 5)
    expect(spacesIn(await read())).toEqual([1, 3, 4, 2, 5, 6].map(number => `space ${number}`))
  })

  it('answers a request that waits as soon as there is an event for the caller', async () => {
    setup.readable.spaces.set('open', 'read')
    const waiting = read({ wait: 30 }, setup.as('read'))
    await setup.deliver({ number: 1, subject: { space: 'closed' } })
    await setup.deliver({ number: 2, subject: { space: 'open' } })
    expect(spacesIn(await waiting)).toEqual(['open'])
    expect((await read({ wait: 1, after: 'latest' })).events).toEqual([])
  })

  it('ends requests that wait, and streams, when the rights of their caller change, and shows them nothing more', async () => {
    const { cursor } = await read()
    const waiting = read({ wait: 30 })
    const stream = await admin().streamEvents({ params, query: {}, headers: {} } as never)
    const next = stream[Symbol.asyncIterator]().next()
    const others = setup.as('admin', 'bob').listEvents({ params, query: { wait: 30 } as never })
    const ended = Promise.all([waiting, next])
    await eventually(async () => {
      await setup.changeRights('ann')
      expect(await Promise.race([ended, undefined])).toBeDefined()
    })
    expect(await ended).toEqual([{ object: 'events', events: [], cursor }, expect.objectContaining({ done: true })])
    await deliver(1)
    expect(spacesIn(await others)).toEqual(['space 1'])
  })

  it('has events of types that only a later version of the platform knows, for admins', async () => {
    setup.readable.spaces.set('a', 'create')
    await setup.deliver({ number: 1, type: 'space.unheard', subject: { space: 'a' } })
    expect((await read()).events).toMatchObject([{ type: 'space.unheard' }])
    expect((await read({}, setup.as('create'))).events).toEqual([])
    const { items } = await admin().listOrganizationAuditEvents({ params, query: {} })
    expect(items).toMatchObject([{ action: 'space.unheard', target: { type: 'space', id: 'a' } }])
  })

  it('lets twenty requests of one user wait, and answers others at once', async () => {
    const many = Array.from({ length: 40 }, () => read({ wait: 30 }))
    const answered = new Set<number>()
    for (const [at, each] of many.entries()) void each.then(() => answered.add(at))
    await eventually(() => expect(answered.size).toBe(20))
    const bob = setup.as('admin', 'bob').listEvents({ params, query: { wait: 30 } as never })
    await deliver(1)
    const parts = await Promise.all(many)
    expect(parts.filter(({ events }) => events.length === 1)).toHaveLength(20)
    expect(spacesIn(await bob)).toEqual(['space 1'])
  })

  it('answers who may see none of many events with a cursor behind those that it has looked at', async () => {
    await deliver(1)
    await query(
      setup.service.db,
      `insert into events select organization_id, at, gen_random_uuid(), source, occurred_at, type, subject, subject_ids, revision,
         details, actor_kind, actor_id, operation_id, request_id, client, hash
       from events, generate_series(2, 10500) at`,
    )
    await query(setup.service.db, 'update event_sequences set last = 10500')
    const guest = setup.as(null)
    const first = await read({}, guest)
    expect([first.events, Number.parseInt(first.cursor)]).toEqual([[], 10_000])
    const second = await read({ after: first.cursor }, guest)
    expect([second.events, Number.parseInt(second.cursor)]).toEqual([[], 10_500])
  })

  it('streams events, and continues behind the last that a client has had', async () => {
    const stream = await admin().streamEvents({ params, query: {}, headers: {} } as never)
    const iterator = stream[Symbol.asyncIterator]()
    const first = iterator.next()
    // A stream begins behind the newest event at the time of its request.
    await deliver(1, 2)
    const event = (await first).value as { cursor: string; subject: { space: string } }
    expect(event.subject.space).toBe('space 1')
    await iterator.return?.()
    const again = await admin().streamEvents({ params, query: {}, headers: { 'last-event-id': event.cursor } } as never)
    for await (const { subject } of again) {
      expect(subject.space).toBe('space 2')
      break
    }
  })
})

it('changes that a service has recorded arrive, with who caused them', async () => {
  const actor = { kind: 'user', id: 'bob' }
  const changes = Array.from({ length: 30 }, (_, at) =>
    setup.record('space.updated', { space: `made ${at}` }, { actor, operationId: 'updateSpaceById' }),
  )
  await Promise.all(changes)
  await eventually(async () => expect((await read({ limit: 100 })).events).toHaveLength(30))
  const { events } = await read({ limit: 100 })
  expect(events.map(({ sequence }) => sequence)).toEqual(changes.map((_, at) => at + 1))
  expect(events[0]).toMatchObject({ actor: { type: 'user', id: 'bob' }, operation: 'updateSpaceById' })
})

it('An event names other resources to those alone who may read them', async () => {
  setup.readable.spaces.set('a', 'read').set('b', 'read')
  setup.readable.collections.set('open', 'read')
  await setup.deliver({ number: 1, type: 'space.created', subject: { space: 'a' }, details: { parent: 'open' } })
  await setup.deliver({ number: 2, type: 'space.moved', subject: { space: 'a' }, details: { parent: 'hidden' } })
  await setup.deliver({ number: 3, type: 'space.restored', subject: { space: 'a' }, details: { parent: null } })
  setup.readable.collections.set('c', 'read')
  const details = { to: 'elsewhere', spaces: ['a', 'hidden', 'b'] }
  await setup.deliver({ number: 4, type: 'collection.transferred', subject: { collection: 'c' }, details })
  const { events } = await read({}, setup.as('read', 'reader'))
  expect(events.map(event => event.details)).toEqual([
    { parent: 'open' },
    {},
    { parent: null },
    { to: 'elsewhere', spaces: ['a', 'b'] },
  ])
  expect((await read()).events.map(event => event.details)).toContainEqual({ parent: 'hidden' })
})
