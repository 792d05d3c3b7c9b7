import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../harness/api.ts'
import type { Finding } from '../harness/finding.ts'
import { median, rounded } from '../harness/statistics.ts'

const merges = 10
const pollMs = 5

/** A published site whose pages are changed. */
export interface ChangedSite {
  space: string
  /** Ids of its pages, and their addresses at the reader, in the same order. */
  ids: string[]
  pageUrls: string[]
  /** The beginning of the site, ending in a slash. */
  root: string
}

/** Reads a form of the site; resolves to its text, which has a change once it shows. */
type Form = (site: ChangedSite, at: { url: string; word: string }) => Promise<string>

const get = async (url: string) => (await fetch(url)).text()

/** Every form of a site that programs and people read. */
const forms: Record<string, Form> = {
  'the page': (_site, { url }) => get(url),
  Markdown: (_site, { url }) => get(`${url}.md`),
  'llms.txt': ({ root }) => get(`${root}llms.txt`),
  'the feed': ({ root }) => get(`${root}rss.xml`),
  'the list of changes': ({ root }) => get(`${root}~/changes`),
  'the search': async ({ root }, { word }) => {
    const text = await get(`${root}~recto/search.json?q=${word}`)
    // Its status repeats the query.
    return (JSON.parse(text) as { hits: unknown[] }).hits.length > 0 ? text : ''
  },
  MCP: async ({ root }, { url }) => {
    const params = { name: 'getPage', arguments: { address: url } }
    const response = await fetch(`${root}mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    return response.text()
  },
}

/** Measures the seconds from the reply of a merge until each form of the site shows it; the longest counts. */
export async function measureUntilShown(api: Api, site: ChangedSite): Promise<Finding[]> {
  const times = new Map(Object.keys(forms).map(name => [name, [] as number[]]))
  for (let round = 1; round <= merges; round += 1) {
    const word = `merge${round}zyx`
    const url = site.pageUrls[round] ?? ''
    const { id } = await api.post<{ id: string }>(`/spaces/${site.space}/change-requests`, { subject: 'Measured' })
    const document = { markdown: `# Page\n\nShown after ${word}.\n` }
    const changes = [{ operation: 'update_page', page: site.ids[round], description: `Of ${word}`, document }]
    await api.post(`/spaces/${site.space}/change-requests/${id}/content`, { changes })
    for (const form of Object.values(forms)) await form(site, { url, word })
    await api.post(`/spaces/${site.space}/change-requests/${id}/merge`, {})
    const merged = performance.now()
    await Promise.all(
      Object.entries(forms).map(async ([name, form]) => {
        while (!(await form(site, { url, word })).includes(word)) await sleep(pollMs)
        times.get(name)?.push((performance.now() - merged) / 1_000)
      }),
    )
  }
  return [...times].map(([name, seconds]) => ({
    what: `from a merge until ${name} has it, the longest`,
    value: rounded(Math.max(...seconds)),
    unit: 's',
    budget: { atMost: 1 },
    detail: `median ${median(seconds).toFixed(2)} s of ${merges}, all forms read at once`,
    figures: { times: seconds },
  }))
}
