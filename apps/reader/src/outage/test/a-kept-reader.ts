import { createLog, createMetrics, type Metrics } from '@recto/telemetry'
import { createApiClient } from '../../api/api-client.ts'
import { createReads } from '../../api/reads.ts'
import type { Assets } from '../../assets/assets.ts'
import { eventsFeature } from '../../events/events.handlers.ts'
import { filesFeature } from '../../files/files.handlers.ts'
import { createBodies, type RenderBody } from '../../loaders/read-body.ts'
import { textOf } from '@recto/markdown'
import { markdownFeature } from '../../markdown/markdown.handlers.ts'
import { pagesFeature } from '../../pages/pages.handlers.ts'
import { searchFeature } from '../../search/search.handlers.ts'
import { handleRequest, type RequestParts } from '../../server/handle-request.ts'
import type { PageRequest } from '../../server/page-request.ts'
import { openKeeper, type Keeper } from '../keeper.ts'
import { outageTimes, type OutageTimes } from '../outage.rules.ts'
import type { ToyApi } from './toy-api.ts'

/** An answer of the reader. */
export interface ReaderAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

/** A reader in this process that keeps sites, without threads and styles. */
export interface KeptReader {
  keeper: Keeper
  metrics: Metrics
  get(path: string, change?: Partial<PageRequest>): Promise<ReaderAnswer>
  stop(): Promise<void>
}

/** Times that tests wait for. */
export const quickTimes: OutageTimes = {
  ...outageTimes,
  patience: 100,
  probe: 400,
  probeEvery: 100,
  lastTry: 300,
  checkEvery: 200,
}

const noAssets: Assets = {
  at: () => Promise.resolve(undefined),
  urls: () => ({ style: '', mathStyle: '', script: '', askScript: '', of: (file: string) => file }) as never,
}

/** Starts a reader of a toy. */
export async function aKeptReader(
  toy: ToyApi,
  { folder, times = quickTimes, maxBytes = 50_000_000 }: { folder: string; times?: OutageTimes; maxBytes?: number },
): Promise<KeptReader> {
  const metrics = createMetrics('reader')
  const api = createApiClient({ url: toy.url, publicUrl: toy.url, timeout: 15_000 })
  const log = createLog({ service: 'reader', level: 'silent' })
  const keeper = await openKeeper({ api, folder, maxBytes, log, metrics, times, forget: () => reads.forget() })
  const reads = createReads(keeper.client, { freshFor: 50, maxBytes: 10_000_000 })
  const render: RenderBody = ({ document }) =>
    Promise.resolve({ html: `<p>${textOf(document)}</p>`, outline: [], hasMath: false, updates: [] })
  const features = {
    event: eventsFeature,
    file: filesFeature,
    search: searchFeature,
    markdown: markdownFeature,
    page: pagesFeature(0),
  }
  const parts: Omit<RequestParts, 'tools'> = {
    addresses: { sitesUrl: 'https://{basename}.docs.example', readerHosts: [] },
    assets: noAssets,
    features,
    edge: { age: 0, stale: 0 },
    mcp: () => Promise.reject(new Error('no program asks')),
  }
  keeper.start(parts)
  const bodies = createBodies(reads, { render, maxBytes: 1_000_000 })
  return {
    keeper,
    metrics,
    async get(path, change = {}) {
      const request = { method: 'GET', host: 'toy.docs.example', protocol: 'https', address: undefined, url: path }
      const defaults = { ...request, headers: {}, acceptsGzip: false, prefersMarkdown: false, body: '' }
      const answer = await handleRequest(
        { ...defaults, ...change },
        { ...parts, tools: { reads, bodies, api: keeper.client } },
      )
      keeper.count(answer)
      const { status, headers, body } = answer
      return { status, headers, text: await textIn(body) }
    },
    stop: () => keeper.stop(),
  }
}

async function textIn(body: Awaited<ReturnType<typeof handleRequest>>['body']): Promise<string> {
  if (body === null) return ''
  if (body instanceof ReadableStream) return new Response(body).text()
  if (typeof body === 'string') return body
  return Buffer.concat(body instanceof Uint8Array ? [body] : (body as Uint8Array[])).toString()
}
