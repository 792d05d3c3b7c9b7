import { query, transact } from '@recto/database'
import type { Failure } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { oldEventDeletion } from '../record/delete-old-events.ts'
import { anEventService, organization, type EventsSetup } from '../test/events-setup.ts'
import { verifyAudit } from './verify-audit.command.ts'

let setup: EventsSetup
const params = { organizationId: organization }
const admin = () => setup.as('admin')
const user = (id: string) => ({ kind: 'user', id })
const client = { address: '192.0.2.7', userAgent: 'curl/8', token: 'token of ann' }

beforeAll(async () => {
  setup = await anEventService()
  const times = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'].map(day => `${day}T00:00:00.000Z`)
  const changes = [
    { type: 'space.created', subject: { space: 'a' }, actor: user('ann'), operationId: 'createSpace', client },
    { type: 'change-request.merged', subject: { space: 'a', changeRequest: 'c' }, actor: user('bob'), requestId: 'r' },
    { type: 'organization.updated', subject: {}, actor: user('ann'), operationId: 'updateOrganizationById' },
    { type: 'git.sync.failed', subject: { space: 'a', gitOperation: 'g' } },
  ]
  for (const [at, change] of changes.entries())
    await setup.deliver({ number: at + 1, time: times[at] ?? '', ...change })
})
afterAll(() => setup.stop())

const list = async (input: object = {}) =>
  (await admin().listOrganizationAuditEvents({ params, query: input })).items.map(({ action }) => action)

describe('the audit log', () => {
  it('lists what was done, the newest first, in pages', async () => {
    const { items, next, count } = await admin().listOrganizationAuditEvents({ params, query: { limit: 3 } })
    expect([count, items.map(({ action }) => action)]).toEqual([
      4,
      ['git.sync.failed', 'organization.updated', 'change-request.merged'],
    ])
    expect(await list({ limit: 3, page: next?.page })).toEqual(['space.created'])
    expect(items).toMatchObject([
      { actor: { type: 'system', id: 'content' }, source: 'workflow', target: { type: 'git-operation', id: 'g' } },
      { actor: { type: 'user', id: 'ann', label: 'Name of ann' }, target: { type: 'organization', id: organization } },
      { actor: { id: 'bob' }, target: { type: 'change-request', id: 'c' }, occurredAt: '2026-02-01T00:00:00.000Z' },
    ])
  })

  it.each<[object, string[]]>([
    [{ actor: 'ann' }, ['organization.updated', 'space.created']],
    [{ actor: 'system' }, ['git.sync.failed']],
    [{ action: 'space.created' }, ['space.created']],
    [{ target: 'c' }, ['change-request.merged']],
    [{ target: organization }, ['organization.updated']],
    [
      { from: '2026-02-01T00:00:00Z', to: '2026-03-01T01:00:00+01:00' },
      ['organization.updated', 'change-request.merged'],
    ],
    [{ from: '0000-01-01T00:00:00Z', to: '2026-01-01T20:00:00+20:00' }, ['space.created']],
    [{ target: 'a', actor: 'ann' }, ['space.created']],
    [{ actor: "x' or true --" }, []],
  ])('is searched by %j', async (input, actions) => expect(await list(input)).toEqual(actions))

  it('has all facts of one event: operation, request, and from where', async () => {
    const { items } = await admin().listOrganizationAuditEvents({ params, query: { action: 'space.created' } })
    const auditEventId = items[0]?.id ?? ''
    expect(items[0]).not.toHaveProperty('payload')
    expect(await admin().getOrganizationAuditEvent({ params: { ...params, auditEventId } })).toMatchObject({
      source: 'api',
      executionId: 'createSpace',
      schemaVersion: 1,
      payload: { sequence: 1, subject: { space: 'a' }, client, hash: expect.stringMatching(/^[\da-f]{64}$/) },
      urls: { location: `http://recto.test/v1/orgs/${organization}/audit-events/${auditEventId}` },
    })
  })

  it('is exported as JSON lines, and continued behind the cursor of a line', async () => {
    const lines = async (input: object) => {
      const text = await admin().exportOrganizationAuditEvents({ params, query: input })
      return text
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line) as { action: string; cursor: string })
    }
    const first = await lines({ limit: 3 })
    expect(first.map(({ action }) => action)).toEqual([
      'space.created',
      'change-request.merged',
      'organization.updated',
    ])
    const rest = await lines({ after: first.at(-1)?.cursor })
    expect(rest.map(({ action }) => action)).toEqual(['git.sync.failed'])
    expect(await lines({ after: rest[0]?.cursor })).toEqual([])
    for (const sequence of [2, 9_999_999_999])
      await expect(lines({ after: `${sequence}-${'0'.repeat(16)}` })).rejects.toMatchObject({ code: 'gone' })
  })

  it('names every action', async () => {
    const { items } = await admin().listOrganizationAuditEventActions({ params })
    expect(items).toContainEqual({ object: 'audit-event-action', id: 'space.created', label: 'A space was created' })
  })
})

describe('verify-audit', () => {
  const lines: string[] = []
  const verify = () => {
    const { db } = setup.service
    const context = { db, transaction: never, print: (line: string) => void lines.push(line) }
    lines.length = 0
    return verifyAudit([organization], context)
  }
  const never = () => Promise.reject(new Error('it only reads'))
  const sql = (text: string) => query(setup.service.db, text)
  const keepFour = async () => {
    await sql('delete from events where sequence > 4')
    await sql('update event_sequences set last = 4, last_hash = (select hash from events where sequence = 4)')
  }

  it('finds a record whole that nobody has touched, also after old events were deleted', async () => {
    await verify()
    expect(lines.at(-1)).toBe(`${organization}\t4\twhole`)
    const transaction: Parameters<typeof oldEventDeletion>[0] = work =>
      transact(setup.service.db, () => undefined, work)
    const since = Date.parse('2026-01-15T00:00:00Z')
    await oldEventDeletion(transaction, Date.now() - since).run(new AbortController().signal)
    expect(await list()).toHaveLength(3)
    await verify()
    expect(lines.at(-1)).toBe(`${organization}\t3\twhole`)
  })

  it('finds a record whole that grows meanwhile', async () => {
    const growing = (async () => {
      for (let number = 1; number <= 40; number += 1) await setup.deliver({ number }, 'publishing')
    })()
    for (let turn = 0; turn < 40; turn += 1) await verify()
    await growing
    await keepFour()
    await verify()
  })

  it.each([
    ['an event was edited', `update events set actor_id = 'eve' where sequence = 3`, 'event 3 is changed'],
    ['an event was deleted', `delete from events where sequence = 3`, 'event 3 is missing'],
    ['the last event was deleted', `delete from events where sequence = 4`, 'event 4 is missing'],
    [
      'an event was added',
      `insert into events select organization_id, 5, 'new', source, occurred_at, type, subject, subject_ids, revision,
         details, actor_kind, actor_id, operation_id, request_id, client, hash from events where sequence = 4`,
      'event 5 is changed',
    ],
    [
      'the count was lowered with the last event',
      `update event_sequences set last = 3`,
      'event 4 is more than counted',
    ],
  ])('finds that %s', async (_what, change, fault) => {
    await sql('create table copy_of_events as select * from events')
    await sql('create table copy_of_sequences as select * from event_sequences')
    await sql(change)
    await expect(verify()).rejects.toMatchObject({ code: 'conflict' })
    expect(lines.at(-1)).toContain(fault)
    await sql('truncate events, event_sequences')
    await sql('insert into events select * from copy_of_events')
    await sql('insert into event_sequences select * from copy_of_sequences')
    await sql('drop table copy_of_events, copy_of_sequences')
    await verify()
  })
})

describe('an event of the audit log that ends something', () => {
  it('names the event that began it, in a reply and in an export', async () => {
    const subject = { space: 'b', gitOperation: 'h' }
    const changes = [
      { type: 'git.sync.started', subject, actor: user('ann'), operationId: 'importGitRepository' },
      { type: 'git.sync.failed', subject, actor: user('ann') },
      { type: 'git.sync.started', subject, actor: user('ann'), operationId: 'retryGitOperation' },
      { type: 'git.sync.started', subject: { space: 'b', gitOperation: 'i' } },
      { type: 'git.sync.finished', subject, actor: user('ann') },
    ]
    for (const [at, change] of changes.entries()) await setup.deliver({ number: at + 1, ...change }, 'git-worker')
    const text = await admin().exportOrganizationAuditEvents({ params, query: { target: 'h' } })
    const events = text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as { id: string; causedByEventId?: string })
    const [start, failure, retry, end] = events
    expect(events.map(({ causedByEventId }) => causedByEventId)).toEqual([undefined, start?.id, undefined, retry?.id])
    const read = (id = '') => admin().getOrganizationAuditEvent({ params: { ...params, auditEventId: id } })
    expect((await read(failure?.id)).causedByEventId).toBe(start?.id)
    expect((await read(end?.id)).causedByEventId).toBe(retry?.id)
    expect(await read(start?.id)).not.toHaveProperty('causedByEventId')
  })
})

// Refusals are events, too: the tests before count theirs without them.
describe('the audit log of an organization', () => {
  it.each<[string, Parameters<EventsSetup['as']>[0], string]>([
    ['members', 'create', 'forbidden'],
    ['guests', null, 'forbidden'],
    ['outsiders', undefined, 'not_found'],
  ])('is not for %s', async (_who, role, code) => {
    const caller = setup.as(role)
    const calls = [
      caller.listOrganizationAuditEvents({ params, query: {} }),
      caller.getOrganizationAuditEvent({ params: { ...params, auditEventId: 'x' } }),
      caller.exportOrganizationAuditEvents({ params, query: {} }),
      caller.listOrganizationAuditEventActions({ params }),
    ]
    const codes = await Promise.all(calls.map(call => call.catch((error: Failure) => error.code)))
    expect(codes).toEqual(calls.map(() => code))
  })
})
