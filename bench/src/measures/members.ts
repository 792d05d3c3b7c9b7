import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { seedOrganization } from '../harness/seeding.ts'
import { StatementLog } from '../harness/statement-log.ts'
import { median, quantile, rounded } from '../harness/statistics.ts'

const small = { members: 20, teams: 20 }
const large = { members: 20_000, teams: 500 }
const readsPerList = 150
/** The page size: the small organization fits into one page. */
const limit = 20

/** The queries that both organizations are measured with. */
const lists: Record<string, string> = {
  'members by joining': 'members?sort=joinedAt',
  'members by activity': 'members?sort=lastSeenAt&order=asc',
  'members of a role': 'members?role=review',
  'search of members': 'members?search=Hopper%201',
  'search that finds one member': 'members?search=Hopper%2019',
  teams: 'teams?',
  'search of teams': 'teams?title=EAM%201',
}

/** Latencies and statements of lists in an organization of 20,000 members and 500 teams against one of 20, alternating between both. */
export const measureMembers: Measure = async bench => {
  const organizations = { small: await seedOrganization(bench, small), large: await seedOrganization(bench, large) }
  const findings: Finding[] = []
  for (const [name, query] of Object.entries(lists))
    findings.push(
      await measureList(bench, name, [listPath(organizations.small, query), listPath(organizations.large, query)]),
    )
  const middle = await middleCursor(bench, organizations.large)
  findings.push(
    await measureList(bench, 'members in the middle of the list', [
      listPath(organizations.small, 'members?'),
      listPath(organizations.large, `members?page=${middle}`),
    ]),
  )
  return [...findings, await measureStatements(bench, organizations)]
}

function listPath(organization: string, query: string): string {
  return `/orgs/${organization}/${query}&limit=${limit}`
}

/** The cursor of the page in the middle of the list. */
async function middleCursor({ api }: Bench, organization: string): Promise<string> {
  let page = ''
  for (let read = 0; read < large.members / 2; read += 1000) {
    const list = await api.get<{ next?: { page: string } }>(
      `/orgs/${organization}/members?limit=1000${page && `&page=${page}`}`,
    )
    page = list.next?.page ?? ''
  }
  return page
}

async function measureList({ api, print }: Bench, name: string, [few, many]: [string, string]): Promise<Finding> {
  const times = { small: [] as number[], large: [] as number[] }
  for (let read = 0; read < readsPerList; read++) {
    times.small.push((await api.time(few)).ms)
    times.large.push((await api.time(many)).ms)
  }
  const smaller = median(times.small)
  const larger = median(times.large)
  const detail = `${larger.toFixed(1)} ms against ${smaller.toFixed(1)} ms, p99 ${quantile(times.large, 0.99).toFixed(1)} ms`
  print(`  ${name}: ${detail}`)
  return {
    what: `${name}, ${large.members.toLocaleString('en')} against ${small.members}`,
    value: rounded(larger / smaller),
    unit: 'x',
    detail,
    figures: { small: smaller, large: larger, p99Large: quantile(times.large, 0.99) },
  }
}

async function measureStatements(bench: Bench, organizations: { small: string; large: string }): Promise<Finding> {
  const log = await StatementLog.open(bench)
  const statements = async (organization: string) =>
    (await log.capture(() => bench.api.get(`/orgs/${organization}/members?limit=1000`))).length
  const fewer = await statements(organizations.small)
  const more = await statements(organizations.large)
  await log.close()
  if (fewer === 0) throw new Error('Postgres logged no statements')
  return {
    what: `statements of a list of 1,000 members, against ${small.members}`,
    value: rounded(more / fewer),
    unit: 'x',
    budget: { atMost: 1 },
    detail: `${more} against ${fewer}`,
    figures: { small: fewer, large: more },
  }
}
