import { setTimeout as sleep } from 'node:timers/promises'
import { anOrganization, Api, aSpace } from '../harness/api.ts'
import { aFolder, type Bench, type Measure } from '../harness/bench.ts'
import { ticksByProcess, ticksPerSecond } from '../harness/cpu.ts'
import type { Finding } from '../harness/finding.ts'
import { newGeneratedSpace, pagesOf, searchPath, untilSearchable } from '../harness/generated-space.ts'
import { importRepository, serveGenerated } from '../harness/imports.ts'
import { rounded } from '../harness/statistics.ts'
import { startStack } from '../harness/stack.ts'
import { firstBytes } from '../harness/visitors.ts'

const pages = 1_000
const connections = 10
/** Longer than events of a change take to reach all services. */
const settleMs = 3_000

/** Work of one kind, of which there are so many. */
interface Kind {
  what: string
  count: number
  /** One of them, unless `all` does all of them. */
  one?(at: number): Promise<unknown>
  all?(): Promise<unknown>
}

/** Processor time of reads, writes, imports and visits, of all processes and PostgreSQL, and how many of them one core carries in a second. */
export const measureCores: Measure = async ({ cleanup, print }) => {
  const stack = await startStack(cleanup, await aFolder(cleanup, 'cores'), { hasReader: true })
  const api = new Api(stack, connections)
  const bench = { stack, api, organization: await anOrganization(api), cleanup, print }
  const findings: Finding[] = []
  for (const kind of await kindsIn(bench)) findings.push(await measure(bench, kind))
  api.close()
  await stack.stop()
  return findings
}

async function kindsIn(bench: Bench): Promise<Kind[]> {
  const { api, organization } = bench
  const { space } = await newGeneratedSpace(bench, pages)
  const ids = await pagesOf(bench, space)
  const idAt = (at: number) => ids[(at * 7) % ids.length] ?? ''
  const edit = (at: number) => ({
    changes: [{ operation: 'update_page', page: idAt(at), document: { markdown: `# Edited\n\nIn round ${at}.\n` } }],
  })
  const { url } = await serveGenerated(bench.cleanup, pages)
  const reading = await visitsOf(bench, space)
  return [
    { what: 'GET space', count: 6_000, one: () => api.time(`/spaces/${space}`) },
    {
      what: 'GET page as Markdown',
      count: 4_000,
      one: at => api.time(`/spaces/${space}/content/page/${idAt(at)}?format=markdown`),
    },
    { what: 'search in 1,000 pages', count: 400, one: at => api.time(searchPath(space, `option_${at % 50}_3`)) },
    { what: 'change of a page', count: 300, one: at => api.post(`/spaces/${space}/content`, edit(at)) },
    {
      what: 'change request, from its creation to its merge',
      count: 100,
      async one(at) {
        const { id } = await api.post<{ id: string }>(`/spaces/${space}/change-requests`, { subject: `Round ${at}` })
        await api.post(`/spaces/${space}/change-requests/${id}/content`, edit(at))
        await api.post(`/spaces/${space}/change-requests/${id}/merge`, {})
      },
    },
    { what: 'page of the reader that is made anew', count: reading.urls.length, all: () => firstBytes(reading) },
    {
      what: 'page of the reader that is kept',
      count: reading.urls.length * 20,
      all: () => firstBytes({ ...reading, pagesOfEach: reading.pagesOfEach * 20 }),
    },
    {
      what: 'page of an import, until it is searchable',
      count: pages,
      async all() {
        const target = await aSpace(api, organization)
        await importRepository(api, target, url)
        await untilSearchable(api, target, 'paragraph')
      },
    },
  ]
}

/** Publishes a space; each visitor reads other pages of it. */
async function visitsOf({ api, organization, stack }: Bench, space: string) {
  const sites = `/orgs/${organization}/sites`
  const { id } = await api.post<{ id: string }>(sites, { title: 'Bench', spaces: [space] })
  const { urls } = await api.post<{ urls: { published: string } }>(`${sites}/${id}/publish`, {})
  const [basename = ''] = new URL(urls.published).hostname.split('.')
  const root = `${stack.readerUrl}/${basename}/`
  const sitemap = await (await fetch(`${root}sitemap-pages.xml`)).text()
  const locations = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, page = '']) => page)
  const pageUrls = locations.map(page => page.replace(urls.published, root)).slice(0, 200)
  return { visitors: connections, pagesOfEach: pageUrls.length / connections, urls: pageUrls }
}

async function measure({ stack, print }: Bench, { what, count, one, all }: Kind): Promise<Finding> {
  await sleep(settleMs)
  const before = await ticksByProcess(stack.dataDir)
  if (all) await all()
  else if (one) await inParallel(count, one)
  await sleep(settleMs)
  const after = await ticksByProcess(stack.dataDir)
  const used = [...after].map(([name, ticks]): [string, number] => [
    name,
    (((ticks - (before.get(name) ?? 0)) / ticksPerSecond) * 1_000) / count,
  ])
  const ms = used.reduce((sum, [, each]) => sum + each, 0)
  const parts = used.filter(([, each]) => each >= ms / 50).sort(([, a], [, b]) => b - a)
  const detail = `${ms.toFixed(2)} ms of a core: ${parts.map(([name, each]) => `${name} ${each.toFixed(2)}`).join(', ')}`
  print(`  ${what}: ${(1_000 / ms).toFixed(0)} per second, ${detail}`)
  return {
    what: `${what}, by one core`,
    value: rounded(1_000 / ms, 0),
    unit: 'per second',
    detail,
    figures: Object.fromEntries(used),
  }
}

async function inParallel(count: number, one: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const work = async () => {
    while (next < count) await one(next++)
  }
  await Promise.all(Array.from({ length: connections }, work))
}
