import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { aSpace } from '../harness/api.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { importRepository, serveGenerated, serveManual, servePages } from '../harness/imports.ts'
import { root } from '../harness/stack.ts'
import { median, rounded } from '../harness/statistics.ts'

const [small, large] = [100, 10_000]
const rounds = 30
const pollMs = 20
const relevance = join(root, 'apps/content/src/features/search/relevance')
/** A rare word, a word of every page, a misspelt word, and several words. */
const queries = ['option_42_3', 'paragraph', 'paragrahp', 'first page left']

interface Hits {
  items: { path: string }[]
  count: number
}

interface RelevanceCase {
  query: string
  expect: string[]
}

/** The mean reciprocal rank of the relevance sets, and the time of a search in 10,000 pages against one in 100. */
export const measureSearch: Measure = async bench => {
  const findings = [await fixtureRelevance(bench)]
  if (existsSync(join(root, '../shared/data/fluentd-docs.bundle'))) findings.push(await manualRelevance(bench))
  return [...findings, ...(await searchTimes(bench))]
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(join(relevance, name), 'utf8')) as T
}

async function fixtureRelevance(bench: Bench): Promise<Finding> {
  const pages = readJson<{ path: string; title: string; markdown: string }[]>('fixture-pages.json')
  const { url } = await servePages(bench.cleanup, pages)
  return relevanceOf(bench, { url, what: 'a fixture of six languages', cases: readJson('fixture-queries.json') })
}

async function manualRelevance(bench: Bench): Promise<Finding> {
  const { url, what } = await serveManual(bench)
  return relevanceOf(bench, { url, what, cases: readJson('fluentd-queries.json') })
}

async function relevanceOf(
  { api, organization, print }: Bench,
  { url, what, cases }: { url: string; what: string; cases: RelevanceCase[] },
): Promise<Finding> {
  const space = await aSpace(api, organization)
  await importRepository(api, space, url)
  await untilSearchable(api, space, cases[0]?.query ?? '')
  const ranks: Record<string, number> = {}
  for (const { query, expect } of cases) {
    const { items } = await search(api, space, query)
    ranks[query] = items.findIndex(({ path }) => expect.includes(path)) + 1
  }
  const reciprocal = Object.values(ranks).map(rank => (rank === 0 ? 0 : 1 / rank))
  const value = rounded(reciprocal.reduce((sum, one) => sum + one, 0) / reciprocal.length, 3)
  for (const [query, rank] of Object.entries(ranks)) if (rank !== 1) print(`  ${query}: ${rank || 'not found'}`)
  return {
    what: `mean reciprocal rank of ${cases.length} queries over ${what}`,
    value,
    unit: 'x',
    budget: { atLeast: 0.85 },
    detail: `${reciprocal.filter(one => one === 1).length} of ${cases.length} first`,
    figures: { ranks },
  }
}

async function searchTimes(bench: Bench): Promise<Finding[]> {
  const few = await generatedSpace(bench, small)
  const many = await generatedSpace(bench, large)
  const findings: Finding[] = []
  for (const query of queries) {
    const times = { small: [] as number[], large: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.small.push((await bench.api.time(pathOf(few.space, query))).ms)
      times.large.push((await bench.api.time(pathOf(many.space, query))).ms)
    }
    const [slow, fast] = [median(times.large), median(times.small)]
    findings.push({
      what: `search for “${query}” in ${large.toLocaleString('en')} pages, against ${small}`,
      value: rounded(slow / fast),
      unit: 'x',
      detail: `${slow.toFixed(1)} ms against ${fast.toFixed(1)} ms`,
      figures: times,
    })
  }
  const seconds = rounded(many.seconds)
  const what = `from an import of ${large.toLocaleString('en')} pages until they are searchable`
  return [...findings, { what, value: seconds, unit: 's', detail: 'for information', figures: { seconds } }]
}

/** A space with generated pages that are searchable, and the seconds from the end of the import until they were. */
export async function generatedSpace(
  { api, organization, cleanup }: Bench,
  count: number,
): Promise<{ space: string; seconds: number }> {
  const { url } = await serveGenerated(cleanup, count)
  const space = await aSpace(api, organization)
  await importRepository(api, space, url)
  const imported = performance.now()
  await untilSearchable(api, space, 'paragraph')
  return { space, seconds: (performance.now() - imported) / 1000 }
}

async function untilSearchable(api: Bench['api'], space: string, query: string): Promise<void> {
  while ((await search(api, space, query)).count === 0) await sleep(pollMs)
}

function search(api: Bench['api'], space: string, query: string): Promise<Hits> {
  return api.get<Hits>(pathOf(space, query))
}

function pathOf(space: string, query: string): string {
  return `/spaces/${space}/search?limit=20&query=${encodeURIComponent(query)}`
}
