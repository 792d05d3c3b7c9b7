import { routeOf, type Operation } from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { aMember, anOrganization, sendRaw, withoutRequestId, sendOk, type Person, type RawRequest } from './people.ts'
import type { Installation } from './stack.ts'

/** The callers in the order of the columns: without token, admin of another organization, guest, three roles, reader who owns the team. */
export const callers = ['none', 'outsider', 'guest', 'read', 'create', 'admin', 'owner'] as const

/** One of the callers of the tables. */
export type Caller = (typeof callers)[number]

/** The input of a request; path parameters default to the subject of the same name. */
interface SentInput {
  params?: Partial<Record<string, string>>
  query?: string
  body?: unknown
  form?: Record<string, string>
}

/** A row: the statuses by caller, and the input. */
export type Access<Subjects> = readonly [
  statuses: readonly number[],
  sent?: (subjects: Subjects, caller: Caller) => SentInput,
]

/** Two more callers: visitors of a site that shows the space of the resources, or is one of them, and of another site. */
export interface Visitors {
  /** Addresses of the two published sites. */
  own: string
  other: string
  /** Statuses for visitors of the site where they differ from that of an admin. */
  except?: Record<string, number>
}

/** The callers and the resources that they call operations with. */
export interface AccessSetup<Subjects> {
  stack: Installation
  people: Partial<Record<Caller, Person>>
  visitors: Visitors
  /** The resources; those that are strings are the path parameters of the same name. */
  subjects: Subjects
}

/** Common statuses, named by the callers who succeed. */
export const everybody = (status: number): number[] => [401, status, status, status, status, status, status]
export const insiders = (status: number): number[] => [401, 404, status, status, status, status, status]
export const members = (status: number): number[] => [401, 404, 403, status, status, status, status]
export const admins = (status: number): number[] => [401, 404, 403, 403, 403, status, 403]
/** Guests get 404. */
export const hiddenFromGuests = (status: number): number[] => [401, 404, 404, status, status, status, status]

/** Creates an organization and all callers; the owner has no team yet. */
export async function createCallers(
  stack: Installation,
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

/** Publishes a site that shows a space, and returns its address. */
export async function aPublishedSite(
  { client: { orgs } }: Person,
  organizationId: string,
  spaceId: string,
): Promise<string> {
  const site = (await orgs.createSite(organizationId, { title: 'Docs', spaces: [spaceId] })).data
  await orgs.publishSite(organizationId, site.id)
  return (await orgs.getSiteById(organizationId, site.id)).data.urls.published ?? ''
}

/** Publishes a site that shows a space, and another one that shows an empty space. */
export async function aPairOfSites(admin: Person, organizationId: string, spaceId: string): Promise<Visitors> {
  const other = await admin.client.orgs.createSpace(organizationId, { title: 'Other' } as never)
  return {
    own: await aPublishedSite(admin, organizationId, spaceId),
    other: await aPublishedSite(admin, organizationId, other.data.id),
  }
}

/** Creates something for each caller, sequentially. */
export async function forEachCaller<T>(make: (caller: Caller) => Promise<T>): Promise<Record<Caller, T>> {
  const made: Partial<Record<Caller, T>> = {}
  for (const caller of callers) made[caller] = await make(caller)
  return made as Record<Caller, T>
}

interface TestedTable<Subjects> {
  service: string
  rows: Record<string, Operation>
  table: Record<string, Access<Subjects>>
  world: () => AccessSetup<Subjects>
}

/** Tests the statuses of the table, that hidden resources look like missing ones, and that faulty input is refused. */
export function testAccess<Subjects extends object>(tested: TestedTable<Subjects>): void {
  // First: what is closed later ends the visits of a site.
  testVisitors(tested)
  testStatuses(tested)
  testForeignIds(tested)
  testFaults(tested)
}

function requestOf<Subjects extends object>(
  { rows, world }: TestedTable<Subjects>,
  id: string,
  sent: SentInput = {},
): RawRequest {
  const { method, path } = routeOf(rows[id] as Operation) as { method: string; path: string }
  const values = { ...world().subjects, ...sent.params } as Partial<Record<string, unknown>>
  const value = (name: string) => (typeof values[name] === 'string' ? values[name] : 'nothing')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => value(name))
  return {
    method,
    path: sent.query === undefined ? filled : `${filled}?${sent.query}`,
    body: sent.body,
    ...(sent.form && { form: sent.form }),
  }
}

/** Visitors read what their own site shows, and nothing else: no other site, no other row than those for visitors. */
function testVisitors<Subjects extends object>(tested: TestedTable<Subjects>): void {
  const { service, rows, table, world } = tested
  const cases = Object.entries(rows).flatMap(([id, row]) => {
    const [[none = 0, , , , , admin = 0] = [], sent] = table[id] ?? []
    const mayRead = row.access?.callers?.includes('visitor') === true
    const own = row.access?.public ? none : mayRead ? admin : 403
    const other = row.access?.public ? none : mayRead ? 404 : 403
    return [{ id, own, other, sent }]
  })

  it.each(cases)(`$id of ${service} answers a visitor of the site with $own, of another with $other`, async row => {
    const { stack, subjects, visitors } = world()
    const read = async (url: string) => {
      const body = { url }
      const visitor = await sendRaw(stack.url, undefined, { method: 'POST', path: '/urls/published', body })
      const { apiToken: token } = visitor.body as { apiToken: string }
      return (await sendRaw(stack.url, { token }, requestOf(tested, row.id, row.sent?.(subjects, 'outsider')))).status
    }
    const statuses = { own: await read(visitors.own), other: await read(visitors.other) }
    expect(statuses).toEqual({ own: visitors.except?.[row.id] ?? row.own, other: row.other })
  })
}

function testStatuses<Subjects extends object>(tested: TestedTable<Subjects>): void {
  const { service, rows, table, world } = tested

  describe(`every operation of ${service}`, () => {
    it('has a row in the table, and every row has an operation', () => {
      expect(Object.keys(table).toSorted()).toEqual(Object.keys(rows).toSorted())
    })

    const cases = Object.entries(table).flatMap(([id, [statuses, sent]]) =>
      callers.map((caller, column) => ({ id, caller, status: statuses[column] ?? 0, sent })),
    )

    it.each(cases)('$id answers $caller with $status', async ({ id, caller, status, sent }) => {
      const { stack, people, subjects } = world()
      const reply = await sendRaw(stack.url, people[caller], requestOf(tested, id, sent?.(subjects, caller)))
      const refused = rows[id]?.response?.failurePage
        ? expect.stringContaining('<h1>')
        : { error: expect.objectContaining({ code: status, message: expect.any(String) }) }
      expect({ status: reply.status, body: status < 400 ? undefined : reply.body }).toEqual({
        status,
        body: status < 400 ? undefined : refused,
      })
      if (status === 401) expect(reply.headers.get('www-authenticate')).toContain('Bearer')
    })
  })
}

function testForeignIds<Subjects extends object>(tested: TestedTable<Subjects>): void {
  const hidden = Object.entries(tested.table).filter(([, [statuses]]) => statuses[1] === 404)

  describe('to an outsider', () => {
    it.each(hidden.map(([id, access]) => ({ id, sent: access[1] })))(
      '$id answers the same for a hidden and a missing resource',
      async ({ id, sent }) => {
        const { stack, subjects } = tested.world()
        const outsider = (await anOrganization(stack)).admin
        const given = sent?.(subjects, 'outsider')
        const hidden = await sendRaw(stack.url, outsider, requestOf(tested, id, given))
        const params = Object.fromEntries(Object.keys({ ...subjects, ...given?.params }).map(name => [name, 'nothing']))
        const missing = await sendRaw(stack.url, outsider, requestOf(tested, id, { ...given, params }))
        expect({ status: missing.status, body: withoutRequestId(missing) }).toEqual({
          status: 404,
          body: withoutRequestId(hidden),
        })
      },
    )
  })
}

function testFaults<Subjects extends object>(tested: TestedTable<Subjects>): void {
  const { rows, world } = tested
  const withBody = Object.entries(rows).filter(([, row]) => row.body && !row.request?.form)
  const withLimit = Object.entries(rows).flatMap(([id, { query }]) =>
    query instanceof z.ZodObject && 'limit' in query.shape ? [{ id, fields: Object.keys(query.shape) }] : [],
  )

  describe('faulty input', () => {
    it.each(withBody.map(([id, row]) => ({ id, row })))(
      '$id names the faulty fields of its body',
      async ({ id, row }) => {
        const shape = row.body instanceof z.ZodObject ? row.body.shape : undefined
        const fields = Object.keys(shape ?? { role: true, level: true })
        const body = Object.fromEntries(fields.map(field => [field, [{ wrong: true }]]))
        const reply = await sendRaw(world().stack.url, world().people.admin, { ...requestOf(tested, id), body })
        expect(reply).toMatchObject({
          status: 400,
          body: { error: { code: 400, message: expect.any(String), details: expect.any(Array) } },
        })
        const { error } = reply.body as { error: { details: { path: string; message: string }[] } }
        const named = [...new Set(error.details.map(({ path }) => path.split('.').slice(0, 2).join('.')))]
        expect(named.toSorted()).toEqual(shape ? fields.map(field => `body.${field}`).toSorted() : ['body'])
      },
    )

    it.each(withLimit)('$id names the faulty field of its query', async ({ id, fields }) => {
      const faults = ['limit=1001', 'limit=-1', ...(fields.includes('page') ? ['page=forged'] : [])]
      for (const query of faults) {
        const { query: needed = '', params = {}, body } = tested.table[id]?.[1]?.(world().subjects, 'admin') ?? {}
        const sending = requestOf(tested, id, { params, body })
        const reply = await sendRaw(world().stack.url, world().people.admin, {
          ...sending,
          path: `${sending.path}?${query}&${needed}`,
        })
        expect(reply).toMatchObject({
          status: 400,
          body: { error: { code: 400, details: [{ path: `query.${query.split('=')[0]}` }] } },
        })
      }
    })

    it('a token with the scope read can use no operation that writes', async () => {
      const { stack, people } = world()
      const reader = await sendOk<{ token: string }>(stack, people.admin as Person, {
        method: 'POST',
        path: '/user/tokens',
        body: { name: 'reader', scopes: ['read'] },
      })
      const writes = Object.keys(rows).filter(
        id => routeOf(rows[id] as Operation)?.method !== 'GET' && !rows[id]?.access?.public,
      )
      for (const id of writes)
        expect([id, (await sendRaw(stack.url, reader, requestOf(tested, id))).status]).toEqual([id, 403])
    })
  })
}
