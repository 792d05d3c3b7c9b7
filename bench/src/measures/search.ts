import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSpace } from '../harness/api.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { generatedSpace, searchPath, untilSearchable } from '../harness/generated-space.ts'
import { importRepository, serveManual, servePages } from '../harness/imports.ts'
import { root } from '../harness/stack.ts'
import { median, rounded } from '../harness/statistics.ts'

const small = 100
const large = 10_000
const rounds = 30
const edits = 10
const pages = `${large.toLocaleString('en')} pages`
const relevance = join(root, 'apps/content/src/search/relevance')
/** A rare word, a word of every page, a misspelt word, and several words. */
const queries = ['option_42_3', 'paragraph', 'paragrahp', 'first page left']

interface Hits {
  items: { id: string; path: string }[]
  count: number
}

interface RelevanceCase {
  query: string
  expect: string[]
}

/** The mean reciprocal rank of the relevance sets, and the time of a search in 10,000 pages against one in 100. */
export const measureSearch: Measure = async bench => {
  const findings = [await fixtureRelevance(bench)]
  const manual = join(root, '../shared/data/fluentd-docs.bundle')
  if (existsSync(manual)) findings.push(await manualRelevance(bench))
  else bench.print(`  without the queries over the fluentd manual: there is no ${manual}`)
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
      times.small.push((await bench.api.time(searchPath(few.space, query))).ms)
      times.large.push((await bench.api.time(searchPath(many.space, query))).ms)
    }
    const slow = median(times.large)
    const fast = median(times.small)
    findings.push({
      what: `search for “${query}” in ${pages}, against ${small}`,
      value: rounded(slow / fast),
      unit: 'x',
      budget: { atMost: 4 },
      detail: `${slow.toFixed(1)} ms against ${fast.toFixed(1)} ms`,
      figures: times,
    })
  }
  return [...findings, await timeOfEdits(bench, many.space), timeOfImport(many.seconds)]
}

/** The time from the request of an edit until a search finds its word. */
async function timeOfEdits({ api }: Bench, space: string): Promise<Finding> {
  const { items } = await search(api, space, 'option_42_3')
  const page = items[0]?.id ?? ''
  const seconds: number[] = []
  for (let round = 0; round < edits; round++) {
    const word = `edited${round}x${Date.now()}`
    const started = performance.now()
    const changes = [{ operation: 'update_page', page, document: { markdown: `# Page 42\n\nThe word ${word}.\n` } }]
    await api.post(`/spaces/${space}/content`, { changes })
    await untilSearchable(api, space, word)
    seconds.push((performance.now() - started) / 1000)
  }
  return {
    what: `from an edit of one page of ${pages} until it is searchable`,
    value: rounded(median(seconds)),
    unit: 's',
    budget: { atMost: 1 },
    detail: `${rounded(Math.max(...seconds))} s at most of ${edits}`,
    figures: { seconds },
  }
}

function timeOfImport(seconds: number): Finding {
  return {
    what: `from an import of ${pages} until they are searchable`,
    value: rounded(seconds),
    unit: 's',
    budget: { atMost: 60 },
    detail: `${Math.round(large / seconds)} pages a second`,
    figures: { seconds },
  }
}

function search(api: Bench['api'], space: string, query: string): Promise<Hits> {
  return api.get<Hits>(searchPath(space, query))
}
