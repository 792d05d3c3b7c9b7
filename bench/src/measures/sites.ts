import { anOrganization, Api } from '../harness/api.ts'
import { startBarePipe } from '../harness/bare-pipe.ts'
import { aFolder, type Bench, type Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { measureLoad, type Load } from '../harness/load.ts'
import { aPublishedSite, copySites, type PublishedSite } from '../harness/sites.ts'
import { startStack } from '../harness/stack.ts'
import { median, quantile, rounded } from '../harness/statistics.ts'

const rounds = 7
const seconds = 2
const readsPerRound = 300
const few = 10
const many = 10_000
const lookupPath = '/urls/published'

/** The cost of visitors of published sites: a lookup against `GET space`, a page against the bare pipe, lookups with 10 and with 10,000 sites. */
export const measureSites: Measure = async bench => {
  const site = await aPublishedSite(bench.api, bench.organization)
  const { apiToken } = await bench.api.post<{ apiToken: string }>(lookupPath, { url: site.url })
  const v1 = `${bench.stack.url}/v1`
  const space = { url: `${v1}/spaces/${site.space}`, token: bench.stack.token }
  const bare = { url: `${await startBarePipe(bench)}/v1/spaces/${site.space}` }
  const lookup = { url: `${v1}${lookupPath}`, content: { url: `${site.url}page` } }
  const document = `${v1}/spaces/${site.space}/revisions/${site.revision}/page/${site.page}/document?evaluated=deterministic-only`
  const read = { url: document, token: apiToken }
  return [
    await compare(bench, 'lookup of a site, against GET space', { measured: lookup, base: space, atLeast: 1 }),
    await compare(bench, 'page document of a visitor, against the bare pipe', {
      measured: read,
      base: bare,
      atLeast: 1.5,
    }),
    ...(await measureNumberOfSites(bench, site)),
  ]
}

interface Target {
  url: string
  token?: string
  content?: unknown
}

/** Requests per second of two targets, loaded in alternating rounds after a warm-up. */
async function compare(
  { cleanup, print }: Bench,
  what: string,
  { measured, base, atLeast }: { measured: Target; base: Target; atLeast: number },
): Promise<Finding> {
  const load = ({ url, ...rest }: Target) => measureLoad(cleanup, url, { seconds, ...rest })
  await load(base)
  await load(measured)
  const figures: { measured: Load; base: Load; ratio: number }[] = []
  for (let round = 1; round <= rounds; round++) {
    const first = round % 2 === 1 ? await load(base) : undefined
    const between = await load(measured)
    const other = first ?? (await load(base))
    const ratio = between.requestsPerSecond / other.requestsPerSecond
    figures.push({ measured: between, base: other, ratio })
    print(`  ${what}: ${Math.round(between.requestsPerSecond)} of ${Math.round(other.requestsPerSecond)} requests/s`)
  }
  const middle = (of: 'measured' | 'base') => Math.round(median(figures.map(round => round[of].requestsPerSecond)))
  return {
    what,
    value: rounded(median(figures.map(({ ratio }) => ratio))),
    unit: 'x',
    budget: { atLeast },
    detail: `${middle('measured')} against ${middle('base')} requests/s`,
    figures: { rounds: figures },
  }
}

/** Lookups of ten sites in an installation with ten, and in another with 10,000; and of any of the 10,000, most of them not opened before. */
async function measureNumberOfSites(bench: Bench, site: PublishedSite): Promise<Finding[]> {
  const sites = await copySites(bench.stack, site, few)
  const stack = await startStack(bench.cleanup, await aFolder(bench.cleanup, 'sites'))
  const api = new Api(stack)
  const all = await copySites(stack, await aPublishedSite(api, await anOrganization(api)), many)
  const times = { few: [] as number[], many: [] as number[], any: [] as number[] }
  const look = async (from: Api, urls: string[], read: number) =>
    (await from.time(lookupPath, { url: urls[read % urls.length] })).ms
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const seen = { few: [] as number[], many: [] as number[], any: [] as number[] }
    for (let read = 0; read < readsPerRound; read++) {
      seen.few.push(await look(bench.api, sites, read))
      seen.many.push(await look(api, all.slice(0, few), read))
      seen.any.push(await look(api, all, few + round * readsPerRound + read))
    }
    // The first round warms up.
    if (round === 0) continue
    ratios.push(median(seen.many) / median(seen.few))
    for (const name of ['few', 'many', 'any'] as const) times[name].push(...seen[name])
  }
  api.close()
  await stack.stop()
  const detail = (name: 'few' | 'many' | 'any') =>
    `${median(times[name]).toFixed(2)} ms, p99 ${quantile(times[name], 0.99).toFixed(2)} ms`
  return [
    {
      what: `lookup with ${many.toLocaleString('en')} sites, against ${few}`,
      value: rounded(median(ratios)),
      unit: 'x',
      budget: { atMost: 1.2 },
      detail: `${detail('many')} against ${detail('few')}`,
      figures: { ratios },
    },
    {
      what: `lookup of a site that was not opened before, against one that was`,
      value: rounded(median(times.any) / median(times.many)),
      unit: 'x',
      detail: detail('any'),
      figures: { median: median(times.any) },
    },
  ]
}
