import { anOrganization, aSpace } from '../harness/api.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { memoryOf, pidOf } from '../harness/stack.ts'
import { StatementLog } from '../harness/statement-log.ts'
import { median, rounded } from '../harness/statistics.ts'

const small = 10
const large = 1000
const reads = 15

/** Statements that Postgres ran for lists of 1,000 spaces and comments against lists of 10, counted in its own log. */
export const measureQueries: Measure = async bench => [
  ...(await measureList(bench, 'spaces', createSpaces)),
  ...(await measureList(bench, 'comments', createComments)),
]

/** Creates so many items, and returns the path of their list. */
type Create = (bench: Bench, count: number) => Promise<string>

async function measureList(bench: Bench, items: string, create: Create): Promise<Finding[]> {
  const few = await create(bench, small)
  const many = await create(bench, large)
  const log = await StatementLog.open(bench)
  const [fewer, more] = [await log.capture(() => bench.api.get(few)), await log.capture(() => bench.api.get(many))].map(
    statements => statements.length,
  )
  await log.close()
  if (fewer === undefined || more === undefined || fewer === 0) throw new Error('Postgres logged no statements')
  const fewTimes = await measureTimes(bench, few)
  const manyTimes = await measureTimes(bench, many)
  const resident = await memoryOf(await pidOf(bench.stack, 'content'), 'VmRSS')
  const held = resident === undefined ? '' : `; content holds ${Math.round(resident / 1024 / 1024)} MB`
  return [
    {
      what: `queries of a list of ${large.toLocaleString('en')} ${items}, against ${small}`,
      value: rounded(more / fewer),
      unit: 'x',
      budget: { atMost: 1 },
      detail: `${more} against ${fewer} statements; ${manyTimes.ms.toFixed(1)} ms for ${Math.round(manyTimes.bytes / 1024)} KiB against ${fewTimes.ms.toFixed(1)} ms${held}`,
      figures: {
        statements: { small: fewer, large: more },
        ms: { small: fewTimes.ms, large: manyTimes.ms },
        residentBytes: resident,
      },
    },
  ]
}

async function createComments({ api, organization }: Bench, count: number): Promise<string> {
  const space = await aSpace(api, organization)
  for (let at = 0; at < count; at++)
    await api.post(`/spaces/${space}/comments`, { body: { markdown: `Comment **${at}** of many.` } })
  const path = `/spaces/${space}/comments?limit=${large}`
  const { items } = await api.get<{ items: unknown[] }>(path)
  if (items.length !== count) throw new Error(`The list has ${items.length} of ${count} comments`)
  return path
}

async function createSpaces({ api }: Bench, count: number): Promise<string> {
  const organization = await anOrganization(api)
  for (let at = 0; at < count; at++) await aSpace(api, organization)
  const path = `/orgs/${organization}/spaces?limit=${large}`
  const { items } = await api.get<{ items: unknown[] }>(path)
  if (items.length !== count) throw new Error(`The list has ${items.length} of ${count} spaces`)
  return path
}

async function measureTimes({ api }: Bench, path: string): Promise<{ ms: number; bytes: number }> {
  const seen = []
  for (let read = 0; read < reads; read++) seen.push(await api.time(path))
  return { ms: median(seen.map(({ ms }) => ms)), bytes: seen[0]?.bytes ?? 0 }
}
