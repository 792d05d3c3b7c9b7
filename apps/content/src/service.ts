import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Actor } from '@recto/actor'
import { createBlobStore } from '@recto/blobs'
import { busClient } from '@recto/bus'
import { openApiSpecCalls, openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import { identityEvents, peopleCalls } from '@recto/contracts-identity-bus'
import { contentApi } from '@recto/contracts-content'
import { contentEvents, contentRpc, lifecycleEvents } from '@recto/contracts-content-bus'
import { publishingEvents, publishingRpc } from '@recto/contracts-publishing-bus'
import type { ConvertTasks } from '@recto/convert'
import type { MarkdownTasks } from '@recto/markdown'
import { compose, secretsFor } from '@recto/operation'
import type { PdfTasks } from '@recto/pdf'
import { createOutgoing, type Outgoing } from '@recto/outgoing'
import { databaseLimits, startDatabaseService, type RunningService } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { createWorkerPool } from '@recto/worker-pool'
import { contentDatabase } from './database.ts'
import { changeRequestFeature } from './change-requests/change-requests.handlers.ts'
import type { SpecCalls } from './editing/refresh-computed.ts'
import type { ProjectionTools } from './projection/project-main.ts'
import { collectionFeature } from './collections/collections.handlers.ts'
import { changeRequestCommentFeature, commentFeature } from './comments/comments.handlers.ts'
import { editingFeature } from './editing/editing.handlers.ts'
import { embedFeature } from './embeds/embeds.handlers.ts'
import { historyFeature } from './history/history.handlers.ts'
import { createImporter, type Importer } from './imports/importer.ts'
import { changeRequestImportFeature, importFeature } from './imports/imports.handlers.ts'
import { lifecycleFeature } from './resources/lifecycle.handlers.ts'
import { changeRequestPdfFeature, pdfFeature } from './pdf/pdf.handlers.ts'
import { createPdfMaker, type PdfMaker } from './pdf/pdf-maker.ts'
import { collectionPermissionFeature, spacePermissionFeature } from './permissions/permissions.handlers.ts'
import { changeRequestLinkFeature, linkFeature } from './links/links.handlers.ts'
import { mergingFeature } from './merging/merging.handlers.ts'
import { computedFeature } from './computed-pages/computed.handlers.ts'
import { changeRequestReadingFeature, readingFeature } from './reading/reading.handlers.ts'
import { reviewFeature } from './reviews/reviews.handlers.ts'
import { searchFeature } from './search/search.handlers.ts'
import { spaceFeature } from './spaces/spaces.handlers.ts'
import { allowanceFor, createEngine } from './translations/engines/create-engine.ts'
import type { Engine } from './translations/engines/engine.ts'
import { glossaryFeature } from './translations/glossary.handlers.ts'
import { translationFeature } from './translations/translations.handlers.ts'
import { createTranslator, type Translator } from './translations/translator.ts'
import { uploadFeature } from './uploads/uploads.handlers.ts'
import { urlFeature } from './urls/urls.handlers.ts'
import { startJobs } from './jobs/jobs.ts'
import type { PurgeTimes } from './jobs/purge-schedule.ts'
import { accessCallFeature } from './permissions/access-calls.handlers.ts'
import { projectionReactions, projectionTools } from './projection/projection-events.handlers.ts'
import { formerPathReactions } from './former-paths/former-path-events.handlers.ts'
import { sourceReactions } from './translations/source-events.handlers.ts'
import { computedReactions } from './computed-pages/computed-events.handlers.ts'
import { repositoryCallFeature } from './repositories/repository-calls.handlers.ts'
import { identityEventHandlers } from './access/identity-events.handlers.ts'
import { publicAddressCallFeature } from './sites/public-address-calls.handlers.ts'
import { shownSpecCallFeature } from './computed-pages/shown-spec-calls.handlers.ts'
import { siteContentCallFeature } from './sites/site-content-calls.handlers.ts'
import { siteEventHandlers } from './sites/site-events.handlers.ts'
import { uploadCallFeature } from './uploads/upload-calls.handlers.ts'
import type { Config } from './shared/config.ts'
import type { BaseContext, PdfOrder } from './shared/context.ts'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
  redeliverAfter?: number
  purge?: PurgeTimes
  /** Names the module of worker threads; the one beside the bundle unless given. */
  workerFile?: (name: 'convert-worker' | 'markdown-worker' | 'pdf-worker') => string
}

/** Milliseconds for one page or document, and megabytes of one thread. */
const threadLimits = { timeoutMs: 20_000, memoryMb: 512, stackMb: 64, threads: 2 }
/** One PDF at a time in each process: it needs a lot of memory, and others wait for it. */
const pdfThread = { memoryMb: 768, stackMb: 64, threads: 1 }
/** Milliseconds that a request waits for a PDF, which is made all the same. */
const pdfWait = 50_000
/** Milliseconds for one request of an import. */
const requestTimeout = 30_000

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** The folder of templates beside the sources, or beside the bundle; `./templates` is a room of the sources. */
const templates = [beside('../templates'), beside('./templates')].find(existsSync) ?? ''

/** Events that content may consume, by the service that publishes them. */
const consumedEvents = {
  ...identityEvents,
  ...contentEvents,
  ...lifecycleEvents,
  ...publishingEvents,
  ...openApiSpecEvents,
}

/** The operations of the API that content serves. */
const api = compose<BaseContext>()(contentApi, [
  spaceFeature,
  lifecycleFeature,
  collectionFeature,
  spacePermissionFeature,
  collectionPermissionFeature,
  readingFeature,
  computedFeature,
  editingFeature,
  uploadFeature,
  importFeature,
  searchFeature,
  linkFeature,
  historyFeature,
  changeRequestFeature,
  mergingFeature,
  changeRequestReadingFeature,
  commentFeature,
  changeRequestCommentFeature,
  reviewFeature,
  changeRequestLinkFeature,
  changeRequestImportFeature,
  pdfFeature,
  changeRequestPdfFeature,
  embedFeature,
  urlFeature,
  translationFeature,
  glossaryFeature,
])

/** The operations that other services call. */
const calls = compose<BaseContext>()(contentRpc, [
  repositoryCallFeature,
  accessCallFeature,
  uploadCallFeature,
  siteContentCallFeature,
  shownSpecCallFeature,
  publicAddressCallFeature,
])

/** Clients of other services, as soon as there is a connection to the bus. */
type Clients = Partial<Pick<BaseContext, 'people' | 'publishing' | 'specs'>>

/** The names of reactions are those of their rows in the database. */
function eventWork(projection: ProjectionTools, specs: () => SpecCalls) {
  return {
    events: consumedEvents,
    handlers: { ...identityEventHandlers, ...siteEventHandlers },
    reactions: {
      projection: projectionReactions(projection),
      'former-paths': formerPathReactions,
      translations: sourceReactions,
      'computed-pages': computedReactions(specs),
    },
  }
}

/** Starts the content service; the only file that composes features. */
export async function startContent(config: Config, parts: Parts): Promise<RunningService> {
  const blobs = createBlobStore({ url: config.BLOB_URL })
  const { workerFile = name => beside(`./${name}.js`), ...rest } = parts
  const pools = openPools(config, workerFile)
  const { convert, markdown, pdf } = pools
  const projection = projectionTools({ publicUrl: config.PUBLIC_URL, markdown })
  const outgoing = openOutgoing(config)
  const publicOutgoing = openOutgoing({ ...config, OUTGOING_ALLOW: '' })
  const engine = openEngine(config)
  const started: Partial<Started> = {}
  const handlerTools = { convert, markdown, outgoing, publicOutgoing, templates, blobs }
  const contextParts = {
    ...handlerTools,
    ...contextSettings(config),
    runImport: async (id: string) => started.importer?.run(id),
    pdfMaker: { make: async (order: PdfOrder) => started.pdfMaker?.make(order) },
    hasTranslationEngine: engine !== undefined,
    runTranslation: async (id: string) => started.translator?.run(id),
  }
  const clients: Clients = {}
  const specs = () => requireClient(clients.specs)
  const service = await startDatabaseService<BaseContext, Actor>({
    name: 'content',
    natsUrl: config.NATS_URL,
    callTimeout: config.CALL_TIMEOUT,
    secret: config.SIGNING_SECRET,
    database: contentDatabase(config.DATABASE_URL_CONTENT, databaseLimits(config)),
    api,
    calls,
    events: eventWork(projection, specs),
    context: (base, { bus }) => ({
      ...base,
      ...contextParts,
      cursorKey: () => secretsFor(config.SIGNING_SECRET, base.requestFingerprint()),
      people: (clients.people ??= busClient(bus, peopleCalls, { service: 'identity' })),
      publishing: (clients.publishing ??= busClient(bus, publishingRpc, { service: 'publishing' })),
      specs: specs(),
    }),
    background: async ({ bus, db, transaction, listening }) => {
      // This runs before events are consumed and requests answered.
      clients.specs = busClient(bus, openApiSpecCalls, { service: 'openapi-specs' })
      const tools = { db, transaction, log: parts.log, blobs }
      const importer = createImporter({ ...importLimits(config), ...tools, outgoing, pool: convert, specs })
      const translator =
        engine && createTranslator({ ...translationLimits(config), ...tools, markdown, engine: engine.engine })
      const pdfMaker = createPdfMaker({ ...tools, pool: pdf })
      Object.assign(started, { importer, pdfMaker, ...(translator && { translator }) })
      const work = { importer, translator, projection, followAfter: config.TRANSLATION_FOLLOW_AFTER }
      return startJobs({ ...tools, ...work, listening }, parts.purge)
    },
    ...rest,
  })
  return {
    ...service,
    async stop() {
      // This comes first: requests that wait for an import or a PDF are in flight, and the service stops when they are answered.
      await Promise.all(Object.values(started).map(work => work.stop()))
      await service.stop()
      await Promise.all([pools.close(), outgoing.close(), publicOutgoing.close(), engine?.outgoing.close()])
    },
  }
}

/** The parts that requests wait for or that run in the background, once started. */
interface Started {
  importer: Importer
  translator: Translator
  pdfMaker: PdfMaker
}

/** Opens the threads that read and write what strangers wrote. */
function openPools(config: Config, workerFile: NonNullable<Parts['workerFile']>) {
  const pools = {
    convert: createWorkerPool<ConvertTasks>({ ...threadLimits, file: () => workerFile('convert-worker') }),
    markdown: createWorkerPool<MarkdownTasks>({ ...threadLimits, file: () => workerFile('markdown-worker') }),
    pdf: createWorkerPool<PdfTasks>({
      ...pdfThread,
      timeoutMs: config.PDF_TIMEOUT,
      file: () => workerFile('pdf-worker'),
    }),
  }
  return { ...pools, close: () => Promise.all(Object.values(pools).map(pool => pool.close())) }
}

function requireClient<Client>(client: Client | undefined): Client {
  if (!client) throw new Error('There is no connection to the bus yet')
  return client
}

function contextSettings(config: Config) {
  return {
    importWait: config.IMPORT_WAIT,
    publicUrl: config.PUBLIC_URL,
    signingSecret: config.SIGNING_SECRET,
    build: config.BUILD,
    maxFileBytes: config.GIT_MAX_FILE,
    printing: printingSettings(config),
  }
}

/** All pictures of one PDF may be ten times as large as one of them. */
function printingSettings({ PDF_FONTS: fonts, PDF_MAX_IMAGE: maxImageBytes, PDF_MAX_PAGES: maxSheets }: Config) {
  return { limits: { maxSheets, maxImageBytes, maxTotalImageBytes: 10 * maxImageBytes }, fonts, wait: pdfWait }
}

function openOutgoing({ OUTGOING_ALLOW: allow, IMPORT_MAX_BYTES: maxBytes }: Config): Outgoing {
  return createOutgoing({ allow, maxBytes, timeoutMs: requestTimeout })
}

function importLimits(config: Config) {
  return {
    timeoutMs: config.IMPORT_TIMEOUT,
    concurrency: config.IMPORT_CONCURRENCY,
    limits: {
      maxBytes: config.IMPORT_MAX_BYTES,
      maxFiles: config.IMPORT_MAX_FILES,
      maxPageBytes: config.IMPORT_MAX_PAGE_BYTES,
    },
  }
}

/** The translation engine of the settings, if there is one, with a client that reaches it on a private network, too. */
function openEngine(config: Config): { engine: Engine; outgoing: Outgoing } | undefined {
  const { TRANSLATION_ENGINE: kind, TRANSLATION_ENGINE_URL: url, TRANSLATION_REQUEST_TIMEOUT: timeoutMs } = config
  if (kind === undefined || url === undefined) return undefined
  const outgoing = createOutgoing({ allow: `${config.OUTGOING_ALLOW},${allowanceFor(url)}`, timeoutMs, maxBytes: 0 })
  const { TRANSLATION_ENGINE_KEY: key, TRANSLATION_ENGINE_MODEL: model, TRANSLATION_RETRY_DELAY: retryDelay } = config
  return { engine: createEngine(outgoing, { kind, url, key, model, timeoutMs, retryDelay }), outgoing }
}

function translationLimits(config: Config) {
  return {
    bounds: { segments: config.TRANSLATION_MAX_SEGMENTS, characters: config.TRANSLATION_MAX_CHARACTERS },
    timeoutMs: config.TRANSLATION_TIMEOUT,
    concurrency: config.TRANSLATION_CONCURRENCY,
  }
}
