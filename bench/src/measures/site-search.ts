import { searchPath, newGeneratedSpace } from '../harness/generated-space.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { median, rounded } from '../harness/statistics.ts'

const spaces = 20
const pages = 100
const rounds = 30
/** A rare word, a word of every page, a misspelt word, and several words. */
const queries = ['option_42_3', 'paragraph', 'paragrahp', 'first page left']

/** The time of a search in a site of 20 spaces against one in a single space of it, alternating between both. */
export const measureSiteSearch: Measure = async bench => {
  const spaceIds: string[] = []
  for (let made = 0; made < spaces; made++) spaceIds.push((await newGeneratedSpace(bench, pages)).space)
  const site = await aSite(bench, spaceIds)
  const [one = ''] = spaceIds
  const findings: Finding[] = []
  for (const query of queries) findings.push(await searchTimes(bench, { site, one, query }))
  return findings
}

/** Publishes a site that shows spaces and returns the path of its search. */
async function aSite({ api, organization }: Bench, spaceIds: string[]): Promise<string> {
  const sites = `/orgs/${organization}/sites`
  const { id } = await api.post<{ id: string }>(sites, { title: 'Bench', spaces: spaceIds })
  await api.post(`${sites}/${id}/publish`, {})
  return `${sites}/${id}/search?limit=20`
}

async function searchTimes(
  { api }: Bench,
  { site, one, query }: { site: string; one: string; query: string },
): Promise<Finding> {
  const times = { site: [] as number[], space: [] as number[] }
  const body = { query, scope: { mode: 'all' } }
  for (let round = 0; round < rounds; round++) {
    times.space.push((await api.time(searchPath(one, query))).ms)
    const started = performance.now()
    const { count } = await api.post<{ count: number }>(site, body)
    times.site.push(performance.now() - started)
    if (count !== spaces) throw new Error(`“${query}” was found in ${count} of ${spaces} spaces`)
  }
  const slow = median(times.site)
  const fast = median(times.space)
  return {
    what: `search for “${query}” in a site of ${spaces} spaces, against one of them`,
    value: rounded(slow / fast),
    unit: 'x',
    budget: { atMost: 8 },
    detail: `${slow.toFixed(1)} ms against ${fast.toFixed(1)} ms`,
    figures: times,
  }
}
