import { eventually } from '@recto/testing'
import { organizationSeed, type OrganizationSeed, type SeededOrganization } from '@recto/testing/organizations'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { databaseNames, superuserUrl } from './databases.ts'
import { logPlans, type ExecutedPlan, type PlanLog } from './executed-plans.ts'
import { sendOk } from './people.ts'
import { startStack, usualTime, type Stack } from './stack.ts'

const small = 100
const large = 1_000
const pages = 20
/** Organizations that each request is about in turn. */
const callers = 3
/** The growth of what a statement reads that is no fault. */
const maxGrowth = 1.5
/**
 * Reads that are allowed in any case: rows of two spaces of the seed, because the planner may read a space in place of an index, and
 * blocks for each of some rows at each level of an index, which gets a level more.
 */
const alwaysAllowed = { rows: 2 * pages + 10, blocks: 200 }

type Caller = SeededOrganization & { token: string }
type Send = (caller: Caller) => Promise<unknown>

let stack: Stack
let seed: OrganizationSeed
let log: PlanLog

beforeAll(async () => {
  stack = await startStack({ env: usualTime })
  const urlOf = (name: string) => superuserUrl(stack.dataDir, name)
  const databases = { identity: urlOf('identity'), content: urlOf('content') }
  seed = await organizationSeed({ product: stack, databases, pages })
  log = await logPlans(stack, databaseNames)
})
afterAll(() => stack.stop())

const get = (pathOf: (caller: Caller) => string) => (caller: Caller) =>
  sendOk(stack, caller, { method: 'GET', path: pathOf(caller) })
const post = (pathOf: (caller: Caller) => string, bodyOf: (caller: Caller) => object) => (caller: Caller) =>
  sendOk(stack, caller, { method: 'POST', path: pathOf(caller), body: bodyOf(caller) })

const inOrganization = (path: string) => get(({ organizationId }) => `/orgs/${organizationId}${path}`)
const inSpace = (path: string) => get(({ spaceId }) => `/spaces/${spaceId}${path}`)

/** Requests whose cost must not depend on how many organizations there are, in this order. */
const requests: Send[] = [
  get(() => '/user'),
  get(() => '/orgs'),
  inOrganization(''),
  ...['members', 'members?search=owner', 'teams', 'invites', 'link-invites'].map(list => inOrganization(`/${list}`)),
  ...['spaces', 'collections', 'change-requests', 'sites', 'events'].map(list => inOrganization(`/${list}`)),
  ...['everything', 'evrything', 'tenant ticket'].map(query => inOrganization(`/search?query=${query}`)),
  inSpace(''),
  get(({ spaceId, pages }) => `/spaces/${spaceId}/content/page/${pages[3]}?format=document`),
  ...['pages', 'files'].map(list => inSpace(`/content/${list}`)),
  ...['links', 'comments', 'change-requests', 'permissions/aggregate'].map(list => inSpace(`/${list}`)),
  ...['everything', 'evrything', 'tenant ticket'].map(query => inSpace(`/search?query=${query}`)),
  post(
    ({ organizationId }) => `/orgs/${organizationId}/spaces`,
    () => ({ title: 'Another' }),
  ),
  post(
    ({ spaceId }) => `/spaces/${spaceId}/content`,
    ({ pages }) => ({
      changes: [
        { operation: 'update_page', page: pages[5], document: { markdown: '# Edited\n\nEverything is fresh.\n' } },
      ],
    }),
  ),
  post(
    ({ spaceId, changeRequestId }) => `/spaces/${spaceId}/change-requests/${changeRequestId}/merge`,
    () => ({}),
  ),
]

/** Statements with what each execution of them read. */
type Statements = Map<string, ExecutedPlan[]>

/** Sends each request in some organizations from a number on; resolves to what PostgreSQL executed, also after the replies. */
async function statementsFrom(first: number): Promise<Statements> {
  const statements: Statements = new Map()
  for (let number = first; number < first + callers; number += 1) {
    const caller = await seed.organizationAt(number)
    const plans = await log.capture(async () => {
      for (const send of requests) await send(caller)
      await untilFound(caller, 'fresh')
    })
    for (const plan of plans) statements.set(plan.statement, [...(statements.get(plan.statement) ?? []), plan])
  }
  return statements
}

async function untilFound(caller: Caller, word: string): Promise<void> {
  const search = inSpace(`/search?query=${word}`)
  await eventually(async () => {
    const { count } = (await search(caller)) as { count: number }
    if (count === 0) throw new Error(`${word} is not searchable yet`)
  })
}

const most = (plans: ExecutedPlan[], of: 'rows' | 'blocks'): number => Math.max(0, ...plans.map(plan => plan[of]))

/** Statements that read more, beyond what is allowed, than they did when there were fewer organizations. */
function growing(fewer: Statements, more: Statements): object[] {
  return [...more].flatMap(([statement, plans]) => {
    const before = fewer.get(statement)
    if (!before) return []
    const faults = (['rows', 'blocks'] as const).flatMap(of => {
      const read = most(plans, of)
      const limit = Math.max(alwaysAllowed[of], maxGrowth * most(before, of))
      return read > limit ? [`${read} ${of} instead of ${limit}`] : []
    })
    return faults.length > 0 ? [{ statement, faults }] : []
  })
}

/** Statements that read a table from one end to the other which grows with the number of organizations. */
function scanning(statements: Statements): object[] {
  const plans = [...statements.values()].flat()
  return plans.flatMap(({ statement, scannedTables }) =>
    scannedTables.filter(table => seed.tables.includes(table)).map(table => ({ table, statement })),
  )
}

it('No statement reads more among 1,000 organizations than among 100', async () => {
  await seed.growTo(small)
  const fewer = await statementsFrom(1)
  await seed.growTo(large)
  const more = await statementsFrom(large / 2)
  expect({ growing: growing(fewer, more), scanning: scanning(more) }).toEqual({ growing: [], scanning: [] })
})
