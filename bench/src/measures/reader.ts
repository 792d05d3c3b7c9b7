import { setTimeout as sleep } from 'node:timers/promises'
import { anOrganization, aSpace, Api } from '../harness/api.ts'
import { aFolder, type Bench, type Measure } from '../harness/bench.ts'
import { readTicks, ticksPerSecond } from '../harness/cpu.ts'
import type { Finding } from '../harness/finding.ts'
import { importRepository, serveGenerated, serveManual, type ServedRepository } from '../harness/imports.ts'
import { measureLoad } from '../harness/load.ts'
import { memoryOf, pidOf, startStack } from '../harness/stack.ts'
import { median, quantile, rounded } from '../harness/statistics.ts'
import { firstBytes } from '../harness/visitors.ts'
import { measureUntilShown } from './site-forms.ts'

/** Pages of the generated site, all of which its navigation shows. */
const pages = 200
const rounds = 5
const seconds = 2
const visitors = 1_000
const pagesOfEach = 5
/** Longer than the reader shows what it has without asking again. */
const staleMs = 600
/** Longer than threads without work live. */
const restMs = 12_000
const megabyte = 1024 * 1024
/** The encodings that browsers send. */
const encodings = ['identity', 'gzip', 'gzip, deflate, br'] as const

/** A published site as visitors read it: by the reader, and by the API with the token of a visitor. */
interface ReadSite {
  id: string
  space: string
  /** Ids of its pages. */
  ids: string[]
  /** Addresses of all its pages at the reader. */
  pageUrls: string[]
  /** Requests of the API for the same pages. */
  documents: string[]
  token: string
  /** The beginning of the site, ending in a slash. */
  root: string
}

/** The built-in reader: pages a second and first bytes against reads of the API, CPU of a page, memory, and seconds until a merge shows. */
export const measureReader: Measure = async ({ cleanup, print }) => {
  const stack = await startStack(cleanup, await aFolder(cleanup, 'reader'), { hasReader: true })
  const api = new Api(stack)
  const bench = { stack, api, organization: await anOrganization(api), cleanup, print }
  const pid = await pidOf(stack, 'reader')
  const memory: [string, number][] = []
  const note = async (when: string) => {
    const used = await memoryOf(pid, 'VmRSS')
    if (used !== undefined) memory.push([when, used / megabyte])
  }
  await note('idle')
  const manual = await aReadSite(bench, await serveManual(bench))
  await readAll(manual.pageUrls)
  await note(`after the ${manual.pageUrls.length} pages of a manual`)
  await sleep(restMs)
  await note('after them, at rest')
  const site = await aReadSite(bench, await serveGenerated(cleanup, pages))
  await readAll(site.pageUrls)
  const findings = [
    ...(await measureSpeed(bench, site)),
    ...(await measureVisitors(bench, site)),
    ...(await note(`after ${visitors.toLocaleString('en')} visitors`).then(() => memoryFindings(memory))),
    ...(await measureRender(bench, { site, pid })),
    ...(await measureUntilShown(api, site)),
  ]
  api.close()
  await stack.stop()
  return findings
}

async function aReadSite({ stack, api, organization }: Bench, { url }: ServedRepository): Promise<ReadSite> {
  const space = await aSpace(api, organization)
  const { pages: ids } = await importRepository(api, space, url)
  const sites = `/orgs/${organization}/sites`
  const { id } = await api.post<{ id: string }>(sites, { title: 'Bench', spaces: [space] })
  const { urls } = await api.post<{ urls: { published: string } }>(`${sites}/${id}/publish`, {})
  const lookup = await api.post<{ apiToken: string; revision?: string }>('/urls/published', { url: urls.published })
  const { revision } = await api.get<{ revision: string }>(`/spaces/${space}`)
  const [basename = ''] = new URL(urls.published).hostname.split('.')
  const root = `${stack.readerUrl}/${basename}/`
  const sitemap = await (await fetch(`${root}sitemap-pages.xml`)).text()
  const pageUrls = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, page = '']) =>
    page.replace(urls.published, root),
  )
  if (pageUrls.length !== ids.length) throw new Error(`The reader lists ${pageUrls.length} of ${ids.length} pages`)
  const document = (page: string) =>
    `${stack.url}/v1/spaces/${space}/revisions/${revision}/page/${page}/document?evaluated=deterministic-only`
  return { id, space, ids, pageUrls, documents: ids.map(document), token: lookup.apiToken, root }
}

async function readAll(urls: readonly string[]): Promise<void> {
  await firstBytes({ visitors: 4, pagesOfEach: Math.ceil(urls.length / 4), urls })
}

/** Pages a second of the reader, for each encoding that browsers ask for, against documents a second of the API. */
async function measureSpeed({ cleanup, print }: Bench, site: ReadSite): Promise<Finding[]> {
  const [page = ''] = site.pageUrls.slice(1)
  const [document = ''] = site.documents.slice(1)
  const ofApi = () => measureLoad(cleanup, document, { seconds, token: site.token })
  const ofReader = (encoding: string) => measureLoad(cleanup, page, { seconds, encoding })
  const seen = new Map(encodings.map(encoding => [encoding, [] as { page: number; document: number }[]]))
  await ofApi()
  for (let round = 0; round < rounds; round += 1)
    for (const [encoding, figures] of seen) {
      const read = await ofApi()
      const pageFigures = await ofReader(encoding)
      figures.push({ page: pageFigures.requestsPerSecond, document: read.requestsPerSecond })
      print(
        `  ${encoding}: ${Math.round(pageFigures.requestsPerSecond)} of ${Math.round(read.requestsPerSecond)} requests/s`,
      )
    }
  return [...seen].map(([encoding, figures]) => ({
    what: `page of the reader (${encoding}), against its document of the API`,
    value: rounded(median(figures.map(each => each.page / each.document))),
    unit: 'x',
    detail: `${middle(figures, 'page')} against ${middle(figures, 'document')} requests/s`,
    figures: { rounds: figures },
  }))
}

function middle<Name extends string>(figures: Record<Name, number>[], name: Name): number {
  return Math.round(median(figures.map(each => each[name])))
}

/** Time to the first byte with many visitors at once, of the reader against the API. */
async function measureVisitors({ print }: Bench, { pageUrls, documents, token }: ReadSite): Promise<Finding[]> {
  const times = { page: [] as number[], document: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    times.document.push(...(await firstBytes({ visitors, pagesOfEach, urls: documents, token })))
    times.page.push(...(await firstBytes({ visitors, pagesOfEach, urls: pageUrls })))
    print(`  ${Math.round(median(times.page))} ms against ${Math.round(median(times.document))} ms`)
  }
  const detail = (name: keyof typeof times) =>
    `${Math.round(median(times[name]))} ms, p99 ${Math.round(quantile(times[name], 0.99))} ms`
  return [
    {
      what: `first byte of a page for ${visitors.toLocaleString('en')} visitors at a time, against documents of the API`,
      value: rounded(median(times.page) / median(times.document)),
      unit: 'x',
      detail: `${detail('page')} against ${detail('document')}; no request failed`,
      figures: {
        page: { median: median(times.page), p99: quantile(times.page, 0.99) },
        document: { median: median(times.document), p99: quantile(times.document, 0.99) },
        requests: times.page.length,
      },
    },
    {
      what: `slowest of 100 first bytes of a page for ${visitors.toLocaleString('en')} visitors at a time`,
      value: rounded(quantile(times.page, 0.99) / 1_000),
      unit: 's',
      budget: { atMost: 1 },
      detail: `${detail('page')}; no request failed`,
      figures: { p99: quantile(times.page, 0.99) },
    },
  ]
}

function memoryFindings(memory: readonly [string, number][]): Finding[] {
  const [, idle = 0] = memory[0] ?? []
  return memory.map(([when, used]) => ({
    what: `memory of the reader ${when}`,
    value: Math.round(used),
    unit: 'MB',
    detail: `${Math.round(used - idle)} MB above idle`,
    figures: { used },
  }))
}

/** CPU of the reader for pages whose bodies it has: a new title of the site makes all of them new. */
async function measureRender(
  { api, organization, print }: Bench,
  { site, pid }: { site: ReadSite; pid: number },
): Promise<Finding[]> {
  const figures: { rendered: number; cached: number }[] = []
  const cpuOfAll = async (): Promise<number> => {
    const before = await readTicks(String(pid))
    await readAll(site.pageUrls)
    const after = await readTicks(String(pid))
    return (
      (((after?.ticks ?? Number.NaN) - (before?.ticks ?? Number.NaN)) / ticksPerSecond / site.pageUrls.length) * 1_000
    )
  }
  for (let round = 0; round < rounds; round += 1) {
    await api.patch(`/orgs/${organization}/sites/${site.id}`, { title: `Bench ${round}` })
    await sleep(staleMs)
    figures.push({ rendered: await cpuOfAll(), cached: await cpuOfAll() })
    print(`  CPU of a page: ${figures.at(-1)?.rendered.toFixed(2)} ms, kept ${figures.at(-1)?.cached.toFixed(2)} ms`)
  }
  if (figures.some(({ rendered }) => Number.isNaN(rendered))) return []
  return [
    {
      what: `CPU of a page with ${pages} navigation entries, its body known`,
      value: rounded(median(figures.map(({ rendered }) => rendered))),
      unit: 'ms',
      budget: { atMost: 10 },
      detail: `${median(figures.map(({ cached }) => cached)).toFixed(2)} ms when the page is kept`,
      figures: { rounds: figures },
    },
  ]
}
