import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { seededInstallation, type Caller } from '../harness/seeded-organizations.ts'
import { median, quantile, rounded } from '../harness/statistics.ts'

const small = 100
const large = 10_000
const pages = 100
/** Organizations of each installation that requests are about, so that caches of processes have the same share of them. */
const callers = 50
const rounds = 4
/** Medians of requests in the large installation, against those in the small one. */
const budget = 1.5

/** A kind of request: prepares one, and resolves to the milliseconds that it took. */
interface Kind {
  what: string
  /** Rounds, where one is dear. */
  rounds?: number
  time(caller: Caller, round: number): Promise<number>
}

const read = (what: string, path: (caller: Caller, round: number) => string): Kind => ({
  what,
  time: async (caller, round) => (await caller.api.time(path(caller, round))).ms,
})

const kinds: Kind[] = [
  read('GET organization', ({ organizationId }) => `/orgs/${organizationId}`),
  read('GET space', ({ spaceId }) => `/spaces/${spaceId}`),
  read(
    'GET page',
    ({ spaceId, pages }, round) => `/spaces/${spaceId}/content/page/${pages[round * 7]}?format=markdown`,
  ),
  read('list of members', ({ organizationId }) => `/orgs/${organizationId}/members`),
  read('list of spaces', ({ organizationId }) => `/orgs/${organizationId}/spaces`),
  read('list of pages', ({ spaceId }) => `/spaces/${spaceId}/content/pages`),
  read('list of change requests', ({ organizationId }) => `/orgs/${organizationId}/change-requests`),
  ...['everything', 'evrything', 'tenant ticket'].flatMap(query => [
    read(`search for “${query}” in a space`, ({ spaceId }) => `/spaces/${spaceId}/search?query=${query}`),
    read(
      `search for “${query}” in an organization`,
      ({ organizationId }) => `/orgs/${organizationId}/search?query=${query}`,
    ),
  ]),
  { what: 'merge of a change request', rounds: 2, time: timeOfMerge },
]

/**
 * Requests in an installation of 10,000 organizations with 1,000,000 small pages against one of 100 organizations with 10,000, one request
 * after the other, alternating between both.
 */
export const measureOrganizations: Measure = async bench => {
  const few = await seededInstallation(bench, { organizations: small, pages, callers })
  const many = await seededInstallation(bench, { organizations: large, pages, callers })
  const findings: Finding[] = []
  for (const kind of kinds) findings.push(await measure(bench, kind, { few: few.callers, many: many.callers }))
  await Promise.all([few.stack.stop(), many.stack.stop()])
  return [...findings, sizeOf(many.bytes)]
}

async function measure(
  { print }: Bench,
  { what, time, rounds: own = rounds }: Kind,
  installations: Record<'few' | 'many', Caller[]>,
): Promise<Finding> {
  const times = { few: [] as number[], many: [] as number[] }
  const measureBoth = async (round: number, at: number) => {
    for (const name of ['few', 'many'] as const) {
      const caller = installations[name][at]
      if (!caller) throw new Error(`There are fewer than ${callers} organizations`)
      const ms = await time(caller, round)
      // The first round fills caches of processes.
      if (round > 0) times[name].push(ms)
    }
  }
  for (let round = 0; round < own; round++) for (let at = 0; at < callers; at++) await measureBoth(round, at)
  const fewer = median(times.few)
  const more = median(times.many)
  const detail = `${more.toFixed(1)} ms, p99 ${quantile(times.many, 0.99).toFixed(1)}, against ${fewer.toFixed(1)} ms`
  print(`  ${what}: ${(more / fewer).toFixed(2)} x, ${detail}`)
  return {
    what: `${what} among ${large.toLocaleString('en')} organizations, against ${small}`,
    value: rounded(more / fewer),
    unit: 'x',
    budget: { atMost: budget },
    detail,
    figures: times,
  }
}

async function timeOfMerge({ api, spaceId, pages }: Caller, round: number): Promise<number> {
  const { id } = await api.post<{ id: string }>(`/spaces/${spaceId}/change-requests`, { subject: `Round ${round}` })
  const changeRequest = `/spaces/${spaceId}/change-requests/${id}`
  const document = { markdown: `# Edited\n\nEverything of round ${round}.\n` }
  await api.post(`${changeRequest}/content`, {
    changes: [{ operation: 'update_page', page: pages[round], document }],
  })
  return (await api.time(`${changeRequest}/merge`, {})).ms
}

function sizeOf(bytes: { identity: number; content: number }): Finding {
  const kilobytes = bytes.content / (large * pages) / 1024
  return {
    what: 'database of content, with indexes, for 1,000,000 small pages',
    value: rounded(bytes.content / 1024 / 1024, 0),
    unit: 'MB',
    detail: `${kilobytes.toFixed(2)} KiB a page; identity has ${Math.round(bytes.identity / 1024 / 1024)} MB`,
    figures: { bytes },
  }
}
