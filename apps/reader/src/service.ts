import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { failureStatus } from '@recto/operation'
import { closeServer, closeWithReplies, firstRequestsFirst, listenOn } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { createWorkerPool } from '@recto/worker-pool'
import compression from 'compression'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { ApiFailure, createApiClient } from './api/api-client.ts'
import { createReads } from './api/reads.ts'
import { loadAssets } from './assets/assets.ts'
import { diagramFrameFeature } from './assets/diagram-frame.handlers.ts'
import { askFeature } from './ask/ask.handlers.ts'
import type { BodyInput } from './blocks/index.ts'
import type { renderBody } from './blocks/render-body.tsx'
import type { Config } from './config.ts'
import { changesFeature } from './changes/changes.handlers.ts'
import { differencesFeature } from './differences/differences.handlers.ts'
import { eventsFeature } from './events/events.handlers.ts'
import { feedsFeature } from './feeds/feeds.handlers.ts'
import { filesFeature, fontsFeature } from './files/files.handlers.ts'
import { markdownFeature } from './markdown/markdown.handlers.ts'
import { createMcp, mcpAddressFeature } from './mcp/mcp.handlers.ts'
import { pageByIdFeature } from './pages/page-by-id.handlers.ts'
import { samePageFeature } from './pages/same-page.handlers.ts'
import { pagesFeature } from './pages/pages.handlers.ts'
import { searchFeature } from './search/search.handlers.ts'
import { openKeeper, type Keeper, type KeeperOptions } from './outage/keeper.ts'
import { createFairRender } from './loaders/fair-render.ts'
import { createBodies, type RenderBody } from './loaders/read-body.ts'
import { failureResponse, handleRequest, type RequestParts } from './server/handle-request.ts'
import { limitRequests } from './server/limit-requests.ts'
import type { PageRequest } from './server/page-request.ts'
import { answerPurge, purgePath } from './server/purge-requests.ts'
import type { PageResponse } from './responses/page-response.ts'

interface Parts {
  log: Log
  metrics: Metrics
  /** The folder of styles and script, as built. */
  assetsFolder: string
  /** The module of the threads that render bodies. */
  workerFile(): string
}

/** A running reader. */
export interface Reader {
  port: number
  ready(): Promise<true | string>
  leave(): void
  stop(): Promise<void>
}

/** Reads the body of a request: events and notifications are small. */
const readText = express.text({ type: () => true, limit: '64kb' })
/** Milliseconds after which a connection on which nothing moves is closed: longer than a page may take. */
const idleConnection = 120_000
/** Milliseconds for which a reply is fresh behind an edge. */
const freshBehindEdge = 50
/** Megabytes of memory for the body of a page. */
const memoryMb = 512

/** A body that loads what renders all others. */
const emptyBody: BodyInput = {
  document: { object: 'document', data: { schemaVersion: 0 }, nodes: [] },
  targets: {},
  included: {},
  embeds: {},
  specifications: {},
  tags: {},
  claims: {},
  locale: 'en',
  opensExternalLinksInNewTab: false,
  externalAI: false,
}

/** Starts the reader; `stop` lets requests in flight finish. */
export async function startReader(config: Config, parts: Parts): Promise<Reader> {
  const { log, metrics } = parts
  const { PUBLIC_URL: publicUrl, API_URL: url = publicUrl, READER_CACHE_SIZE: room } = config
  const apiClient = createApiClient({ url, publicUrl, timeout: config.REQUEST_TIMEOUT })
  const keeper = await keeperOf(config, { api: apiClient, log, metrics, forget: () => reads.forget() })
  const api = keeper?.client ?? apiClient
  const reads = createReads(api, { freshFor: freshFor(config), maxBytes: room / 2 })
  const { render, close: endThreads } = openThreads(config, parts)
  const bodies = createBodies(reads, { render, maxBytes: room / 4 })
  metrics.registerCache('replies', reads.state)
  metrics.registerCache('bodies', bodies.state)
  const requestParts: RequestParts = {
    addresses: { sitesUrl: config.SITES_URL, readerHosts: config.READER_HOSTS },
    assets: loadAssets(parts.assetsFolder, import.meta.filename),
    tools: { reads, bodies, api },
    features: siteFeatures(config),
    mcp: createMcp({ perMinute: config.READER_MCP_RATE }),
    edge: { age: config.READER_EDGE_AGE, stale: config.READER_EDGE_STALE },
  }
  keeper?.start({ ...requestParts, features: siteFeatures({ ...config, READER_CACHE_SIZE: 0 }) })
  const forget = (tags: readonly string[]) => {
    reads.forget()
    keeper?.notify(tags)
  }
  const app = express()
  app.disable('x-powered-by').set('trust proxy', config.TRUST_PROXY)
  app.use(compression(), readTextBody)
  app.post(purgePath, (request, response) => {
    const purge = { body: bodyOf(request), signature: request.get('x-gitbook-signature') }
    void send(response, answerPurge(purge, { secret: config.READER_SECRET, forget }))
  })
  const answer = limitRequests(config.READER_CONCURRENCY, request => handleRequest(request, requestParts))
  answerOtherRequests(app, { answer, keeper, log, metrics })
  const server = await listen(app, config).catch(async (error: unknown) => {
    await keeper?.stop()
    await endThreads()
    throw error
  })
  return {
    port: (server.address() as AddressInfo).port,
    ready: () => Promise.resolve(true),
    leave: () => closeWithReplies(server),
    stop: async () => {
      await closeServer(server)
      await keeper?.stop()
      await endThreads()
    },
  }
}

/** Starts the threads that render bodies; `close` ends them. */
function openThreads(
  { READER_THREADS: count, READER_RENDER_TIMEOUT: timeoutMs }: Config,
  { log, workerFile }: Parts,
): { render: RenderBody; close(): Promise<void> } {
  const threads = createWorkerPool<{ renderBody: typeof renderBody }>({
    timeoutMs,
    memoryMb,
    threads: count,
    // The code that renders bodies takes most of a second to load, which no visitor should wait for.
    keptThreads: 1,
    file: workerFile,
  })
  const render: RenderBody = (input, site) =>
    threads.run('renderBody', input).catch((error: unknown) => {
      log.warn({ err: error, site }, 'a body was not rendered')
      throw error
    })
  threads.run('renderBody', emptyBody).catch((error: unknown) => log.debug({ err: error }, 'bodies are not ready'))
  return { render: createFairRender(render, { threads: count }), close: () => threads.close() }
}

/** Milliseconds for which a reply is fresh. An edge keeps for long what it is answered after a purge, so that nothing of before may be in it. */
function freshFor({ READER_FRESH, READER_EDGE_AGE }: Config): number {
  return READER_EDGE_AGE > 0 ? Math.min(READER_FRESH, freshBehindEdge) : READER_FRESH
}

/** The keeper of sites for an outage; undefined without a folder for it. */
async function keeperOf(
  { READER_KEPT_FOLDER: folder, READER_KEPT_SIZE: maxBytes }: Config,
  options: Omit<KeeperOptions, 'folder' | 'maxBytes'>,
): Promise<Keeper | undefined> {
  return folder === undefined || maxBytes === 0 ? undefined : openKeeper({ ...options, folder, maxBytes })
}

/** The features of sites by their names, in the order in which they are asked. */
function siteFeatures(config: Config): RequestParts['features'] {
  return {
    event: eventsFeature,
    diagram: diagramFrameFeature,
    file: filesFeature,
    font: fontsFeature,
    search: searchFeature,
    ask: askFeature({ perMinute: config.READER_ASK_RATE }),
    page_by_id: pageByIdFeature,
    same_page: samePageFeature,
    changes: changesFeature,
    differences: differencesFeature,
    feed: feedsFeature,
    markdown: markdownFeature,
    mcp_address: mcpAddressFeature,
    page: pagesFeature(config.READER_CACHE_SIZE / 4),
  }
}

interface Answering {
  answer: (request: PageRequest) => Promise<PageResponse>
  keeper: Keeper | undefined
  log: Log
  metrics: Metrics
}

/**
 * Adds the last handler: it answers each request by `answer`, an unexpected error with a page of status 500, and records duration and
 * status.
 */
function answerOtherRequests(app: Express, { answer, keeper, log, metrics }: Answering): void {
  app.use((request: Request, response: Response) => {
    const begun = performance.now()
    const { method, protocol, host = '', originalUrl: url } = request
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const acceptsGzip = request.acceptsEncodings('gzip') !== false
    const prefersMarkdown = request.accepts(['text/html', 'text/markdown']) === 'text/markdown'
    const address = request.ip
    const body = bodyOf(request)
    const signal = untilClosed(response)
    const pageRequest = { method, protocol, host, url, headers, address, acceptsGzip, prefersMarkdown, body, signal }
    void answer(pageRequest)
      .catch((error: unknown): PageResponse => {
        log.error({ err: error, url }, 'a request failed')
        return failureResponse({ method, url }, new ApiFailure(500, 'This page cannot be shown'))
      })
      .then(async reply => {
        keeper?.count(reply)
        await send(response, reply)
        const seconds = (performance.now() - begun) / 1_000
        metrics.operations.observe({ operation: reply.operation ?? 'other', seconds, ...failureOf(reply.status) })
      })
      .catch((error: unknown) => {
        log.debug({ err: error, url }, 'a reply was not received')
        // Whatever went wrong, no connection waits for an answer that never comes.
        if (response.headersSent) response.destroy()
        else response.writeHead(500).end()
      })
  })
}

/**
 * Reads the body of a request into `request.body` as text of at most 64 kB, whatever its content type. Answers a body that cannot be read
 * with a failure page of our own, because that of Express would show paths of the code.
 */
function readTextBody(request: Request, response: Response, next: NextFunction): void {
  readText(request, response, (error?: { status?: number }) => {
    if (!error) return next()
    const failure = new ApiFailure(error.status ?? 400, 'The body of the request cannot be read')
    void send(response, failureResponse({ method: request.method, url: request.originalUrl }, failure))
  })
}

/** A signal that aborts when a connection ends before its answer. */
function untilClosed(response: Response): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

/** The code that a status is counted as: alerts name the codes of the closed list, of whichever process. */
function failureOf(status: number): { code?: string } {
  const code = codes.get(status)
  return code === undefined ? {} : { code }
}

const codes = new Map(Object.entries(failureStatus).map(([code, status]): [number, string] => [status, code]))

function bodyOf({ body }: Request): string {
  return typeof body === 'string' ? body : ''
}

/** Sends an answer; a HEAD gets what a GET would, without its body. */
async function send(response: Response, { status, headers, cookies = [], body }: PageResponse): Promise<void> {
  response.status(status).set(headers)
  const chunks = body instanceof Uint8Array ? [body] : Array.isArray(body) ? (body as Uint8Array[]) : undefined
  if (chunks) response.set('content-length', String(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)))
  for (const cookie of cookies) response.append('set-cookie', cookie)
  if (body === null || response.req.method === 'HEAD') {
    if (body instanceof ReadableStream) await body.cancel()
    return void response.end()
  }
  if (body instanceof ReadableStream) return pipeline(Readable.fromWeb(body as never), response)
  if (!chunks) return void response.end(body)
  for (const chunk of chunks) response.write(chunk)
  response.end()
}

async function listen(app: Express, { PORT, HOST }: Config): Promise<Server> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 15_000, connectionsCheckingInterval: 1_000 })
  server.on('request', firstRequestsFirst(server, app))
  server.keepAliveTimeout = 65_000
  server.timeout = idleConnection
  await listenOn(server, { port: PORT, host: HOST })
  return server
}
