import { routeOf, type Operation } from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { aMember, anOrganization, answer, comparable, send, type Person, type Sending } from './people.ts'
import type { Stack } from './stack.ts'

/** Who calls, in the order of the columns: without token, admin of another organization, guest, three roles, reader who owns the team. */
export const callers = ['none', 'outsider', 'guest', 'read', 'create', 'admin', 'owner'] as const

/** One of the callers of the tables. */
export type Caller = (typeof callers)[number]

/** What is sent: path parameters are the subjects of their name unless given here. */
interface Sent {
  params?: Partial<Record<string, string>>
  body?: unknown
  form?: Record<string, string>
}

/** A row: the statuses of the callers in their order, and what they send. */
export type Access<Subjects> = readonly [
  statuses: readonly number[],
  sent?: (subjects: Subjects, caller: Caller) => Sent,
]

/** Who calls about what. */
export interface World<Subjects> {
  stack: Stack
  people: Partial<Record<Caller, Person>>
  /** What is asked about; those that are strings are the path parameters of their name. */
  subjects: Subjects
}

/** Columns that many rows have, by who is served. */
export const everybody = (status: number): number[] => [401, status, status, status, status, status, status]
export const insiders = (status: number): number[] => [401, 404, status, status, status, status, status]
export const members = (status: number): number[] => [401, 404, 403, status, status, status, status]
export const admins = (status: number): number[] => [401, 404, 403, 403, 403, status, 403]
/** For guests it is not there. */
export const seenByMembers = (status: number): number[] => [401, 404, 404, status, status, status, status]

/** An organization, with everybody who calls; the owner has no team yet. */
export async function theCallers(
  stack: Stack,
  body: object = {},
): Promise<{ organization: { id: string; admin: Person }; people: Record<Exclude<Caller, 'none'>, Person> }> {
  const organization = await anOrganization(stack, body)
  const member = (role: Parameters<typeof aMember>[2]) => aMember(stack, organization, role)
  const { admin: outsider } = await anOrganization(stack)
  const people = {
    admin: organization.admin,
    outsider,
    read: await member('read'),
    create: await member('create'),
    guest: await member(null),
    owner: await member('read'),
  }
  return { organization, people }
}

/** Makes something for each caller, one after another. */
export async function forEachCaller<T>(make: (caller: Caller) => Promise<T>): Promise<Record<Caller, T>> {
  const made: Partial<Record<Caller, T>> = {}
  for (const caller of callers) made[caller] = await make(caller)
  return made as Record<Caller, T>
}

interface Tested<Subjects> {
  service: string
  rows: Record<string, Operation>
  table: Record<string, Access<Subjects>>
  world: () => World<Subjects>
}

/** Tests that every row answers every caller as the table says, hides what is hidden and refuses what is wrong. */
export function testAccess<Subjects extends object>(tested: Tested<Subjects>): void {
  testStatuses(tested)
  testHidden(tested)
  testFaults(tested)
}

function sendingOf<Subjects extends object>({ rows, world }: Tested<Subjects>, id: string, sent: Sent = {}): Sending {
  const { method, path } = routeOf(rows[id] as Operation) as { method: string; path: string }
  const values = { ...world().subjects, ...sent.params } as Partial<Record<string, unknown>>
  const value = (name: string) => (typeof values[name] === 'string' ? values[name] : 'nothing')
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => value(name)),
    body: sent.body,
    ...(sent.form && { form: sent.form }),
  }
}

function testStatuses<Subjects extends object>(tested: Tested<Subjects>): void {
  const { service, rows, table, world } = tested

  describe(`every operation of ${service}`, () => {
    it('has a row in the table, and every row an operation', () => {
      expect(Object.keys(table).toSorted()).toEqual(Object.keys(rows).toSorted())
    })

    const cases = Object.entries(table).flatMap(([id, [statuses, sent]]) =>
      callers.map((caller, column) => ({ id, caller, status: statuses[column] ?? 0, sent })),
    )

    it.each(cases)('$id answers $caller with $status', async ({ id, caller, status, sent }) => {
      const { stack, people, subjects } = world()
      const reply = await answer(stack.url, people[caller], sendingOf(tested, id, sent?.(subjects, caller)))
      const refused = rows[id]?.failurePage
        ? expect.stringContaining('<h1>')
        : { error: { code: status, message: expect.any(String) } }
      expect({ status: reply.status, body: status < 400 ? undefined : reply.body }).toEqual({
        status,
        body: status < 400 ? undefined : refused,
      })
      if (status === 401) expect(reply.headers.get('www-authenticate')).toContain('Bearer')
    })
  })
}

function testHidden<Subjects extends object>(tested: Tested<Subjects>): void {
  const hidden = Object.entries(tested.table).filter(([, [statuses]]) => statuses[1] === 404)

  describe('to an outsider, what they may not see', () => {
    it.each(hidden.map(([id, access]) => ({ id, sent: access[1] })))(
      'of $id is as what does not exist',
      async ({ id, sent }) => {
        const { stack, subjects } = tested.world()
        const stranger = (await anOrganization(stack)).admin
        const given = sent?.(subjects, 'outsider')
        const there = await answer(stack.url, stranger, sendingOf(tested, id, given))
        const params = Object.fromEntries(Object.keys({ ...subjects, ...given?.params }).map(name => [name, 'nothing']))
        const absent = await answer(stack.url, stranger, sendingOf(tested, id, { ...given, params }))
        expect({ status: absent.status, body: comparable(absent) }).toEqual({ status: 404, body: comparable(there) })
      },
    )
  })
}

function testFaults<Subjects extends object>(tested: Tested<Subjects>): void {
  const { rows, world } = tested
  const withBody = Object.entries(rows).filter(([, row]) => row.body && row.consumes !== 'form')
  const withPage = Object.entries(rows).filter(
    ([, row]) => row.query instanceof z.ZodObject && 'limit' in row.query.shape,
  )

  describe('what is refused before anything is done', () => {
    it.each(withBody.map(([id, row]) => ({ id, row })))(
      '$id names what is wrong with its body',
      async ({ id, row }) => {
        const shape = row.body instanceof z.ZodObject ? row.body.shape : undefined
        const fields = Object.keys(shape ?? { role: true, level: true })
        const body = Object.fromEntries(fields.map(field => [field, [{ wrong: true }]]))
        const reply = await answer(world().stack.url, world().people.admin, { ...sendingOf(tested, id), body })
        expect(reply).toMatchObject({
          status: 400,
          body: { error: { code: 400, message: expect.any(String), details: expect.any(Array) } },
        })
        const { error } = reply.body as { error: { details: { path: string; message: string }[] } }
        const named = [...new Set(error.details.map(({ path }) => path.split('.').slice(0, 2).join('.')))]
        expect(named.toSorted()).toEqual(shape ? fields.map(field => `body.${field}`).toSorted() : ['body'])
      },
    )

    it.each(withPage.map(([id]) => id))('%s names what is wrong with its query', async id => {
      for (const query of ['limit=1001', 'limit=-1', 'page=forged']) {
        const sending = sendingOf(tested, id)
        const reply = await answer(world().stack.url, world().people.admin, {
          ...sending,
          path: `${sending.path}?${query}`,
        })
        expect(reply).toMatchObject({
          status: 400,
          body: { error: { code: 400, details: [{ path: `query.${query.split('=')[0]}` }] } },
        })
      }
    })

    it('a token that may read can use no operation that changes anything', async () => {
      const { stack, people } = world()
      const reader = await send<{ token: string }>(stack, people.admin as Person, {
        method: 'POST',
        path: '/user/tokens',
        body: { name: 'reader', scopes: ['read'] },
      })
      const writes = Object.keys(rows).filter(
        id => routeOf(rows[id] as Operation)?.method !== 'GET' && !rows[id]?.public,
      )
      for (const id of writes)
        expect([id, (await answer(stack.url, reader, sendingOf(tested, id))).status]).toEqual([id, 403])
    })
  })
}
