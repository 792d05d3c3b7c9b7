import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Actor } from '@recto/actor'
import { createBlobStore } from '@recto/blobs'
import { busClient, type Bus } from '@recto/bus'
import { openApiSpecCalls, openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import { identityEvents, peopleCalls } from '@recto/contracts-identity-bus'
import { contentApi } from '@recto/contracts-content'
import { refusedToMember } from '@recto/contracts-shared'
import { contentEvents, contentRpc, lifecycleEvents } from '@recto/contracts-content-bus'
import { publishingEvents, publishingRpc } from '@recto/contracts-publishing-bus'
import type { ConvertTasks } from '@recto/convert'
import { allowanceFor } from '@recto/engine'
import type { MarkdownTasks } from '@recto/markdown'
import { compose } from '@recto/operation'
import type { PdfTasks } from '@recto/pdf'
import { createOutgoing, type Outgoing } from '@recto/outgoing'
import { busSettings, databaseLimits, type RunningService, startDatabaseService } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { createWorkerPool } from '@recto/worker-pool'
import { contentDatabase } from './database.ts'
import { changeRequestFeature } from './change-requests/change-requests.handlers.ts'
import type { SpecCalls } from './editing/refresh-computed.ts'
import type { ProjectionTools } from './projection/project-main.ts'
import { collectionFeature } from './collections/collections.handlers.ts'
import { changeCommentFeature, changeRequestCommentFeature, commentFeature } from './comments/comments.handlers.ts'
import { editingFeature } from './editing/editing.handlers.ts'
import { embedFeature } from './embeds/embeds.handlers.ts'
import { differencesFeature } from './differences/differences.handlers.ts'
import { historyFeature } from './history/history.handlers.ts'
import { askFeature } from './ask/ask.handlers.ts'
import { askCallFeature } from './ask/ask-calls.handlers.ts'
import { type Asker, createAsker } from './ask/asker.ts'
import type { BaseAskContext } from './ask/ask.context.ts'
import { createImporter } from './imports/importer.ts'
import { importRunFeature } from './imports/import-runs.handlers.ts'
import { changeRequestImportFeature, importFeature } from './imports/imports.handlers.ts'
import { lifecycleFeature } from './resources/lifecycle.handlers.ts'
import { changeRequestPdfFeature, pdfFeature } from './pdf/pdf.handlers.ts'
import { createPdfMaker } from './pdf/pdf-maker.ts'
import { collectionPermissionFeature, spacePermissionFeature } from './permissions/permissions.handlers.ts'
import { changeRequestLinkFeature, linkFeature } from './links/links.handlers.ts'
import { mergingFeature } from './merging/merging.handlers.ts'
import { computedFeature } from './computed-pages/computed.handlers.ts'
import { changeRequestReadingFeature, readingFeature } from './reading/reading.handlers.ts'
import { reviewFeature } from './reviews/reviews.handlers.ts'
import { searchFeature } from './search/search.handlers.ts'
import { spaceFeature } from './spaces/spaces.handlers.ts'
import { createEngine } from './translations/engines/create-engine.ts'
import type { Engine } from './translations/engines/engine.ts'
import { glossaryFeature } from './translations/glossary.handlers.ts'
import { translationFeature } from './translations/translations.handlers.ts'
import { createTranslator } from './translations/translator.ts'
import { fontFeature } from './fonts/fonts.handlers.ts'
import { uploadFeature } from './uploads/uploads.handlers.ts'
import { urlFeature } from './urls/urls.handlers.ts'
import { startJobs } from './jobs/jobs.ts'
import type { PurgeTimes } from './jobs/purge.ts'
import { accessCallFeature } from './permissions/access-calls.handlers.ts'
import { readerCallFeature } from './permissions/reader-calls.handlers.ts'
import { projectionReactions, projectionTools } from './projection/projection-events.handlers.ts'
import { formerPathReactions } from './former-paths/former-path-events.handlers.ts'
import { sourceReactions } from './translations/source-events.handlers.ts'
import { computedReactions } from './computed-pages/computed-events.handlers.ts'
import { repositoryFeature } from './repositories/repositories.handlers.ts'
import { repositoryCallFeature } from './repositories/repository-calls.handlers.ts'
import { identityEventHandlers } from './access/identity-events.handlers.ts'
import { publicAddressCallFeature } from './sites/public-address-calls.handlers.ts'
import { shownSpecCallFeature } from './computed-pages/shown-spec-calls.handlers.ts'
import { siteContentCallFeature } from './sites/site-content-calls.handlers.ts'
import { siteEventHandlers } from './sites/site-events.handlers.ts'
import { uploadCallFeature } from './uploads/upload-calls.handlers.ts'
import type { Config } from './shared/config.ts'
import type { BaseImportContext } from './imports/imports.context.ts'
import type { BasePdfContext } from './pdf/pdf.context.ts'
import type { BaseTranslationContext } from './translations/translations.context.ts'

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

/** The context of all handlers. */
type ContentContext = BaseImportContext & BasePdfContext & BaseTranslationContext & BaseAskContext

/** The operations of the API that content serves. */
const api = compose<ContentContext>()(contentApi, [
  spaceFeature,
  lifecycleFeature,
  collectionFeature,
  spacePermissionFeature,
  collectionPermissionFeature,
  readingFeature,
  computedFeature,
  editingFeature,
  uploadFeature,
  fontFeature,
  importFeature,
  importRunFeature,
  searchFeature,
  askFeature,
  linkFeature,
  historyFeature,
  differencesFeature,
  repositoryFeature,
  changeRequestFeature,
  mergingFeature,
  changeRequestReadingFeature,
  commentFeature,
  changeRequestCommentFeature,
  changeCommentFeature,
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
const calls = compose<ContentContext>()(contentRpc, [
  repositoryCallFeature,
  accessCallFeature,
  readerCallFeature,
  uploadCallFeature,
  siteContentCallFeature,
  shownSpecCallFeature,
  publicAddressCallFeature,
  askCallFeature,
])

/** The names of reactions are those of their rows in the database. */
function eventWork(projection: ProjectionTools, specs: SpecCalls) {
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
  const { workerFile = name => beside(`./${name}.js`), ...rest } = parts
  const { close, pools, engine, ...resources } = openResources(config, workerFile)
  const { convert, markdown, pdf } = pools
  const { blobs, outgoing } = resources
  const projection = projectionTools({ publicUrl: config.PUBLIC_URL, markdown })
  const service = await startDatabaseService<ContentContext, Actor>({
    name: 'content',
    ...busSettings(config),
    secret: config.SIGNING_SECRET,
    database: contentDatabase(config.DATABASE_URL_CONTENT, databaseLimits(config)),
    refused: refusedToMember('content'),
    api,
    calls,
    build({ bus, db, transaction, listening }) {
      const clients = clientsOf(bus)
      const tools = { db, transaction, log: parts.log, blobs }
      const { specs } = clients
      const importer = createImporter({ ...importLimits(config), ...tools, outgoing, pool: convert, markdown, specs })
      const translator = engine && createTranslator({ ...translationLimits(config), ...tools, markdown, engine })
      const pdfMaker = createPdfMaker({ ...tools, pool: pdf })
      const own = {
        ...contextSettings(config),
        ...clients,
        ...resources,
        convert,
        markdown,
        importer,
        pdfMaker,
        translator,
      }
      const work = { importer, translator, projection, followAfter: config.TRANSLATION_FOLLOW_AFTER }
      const jobs = startJobs({ ...tools, ...work, listening }, parts.purge)
      return {
        context: base => ({ ...base, ...own }),
        events: eventWork(projection, specs),
        endWaits: async () => void (await Promise.all([importer.stop(), pdfMaker.stop(), translator?.stop()])),
        stop: () => jobs.stop(),
      }
    },
    ...rest,
  })
  return {
    ...service,
    async stop() {
      await service.stop()
      await close()
    },
  }
}

/** Opens what the process holds until it ends; `close` gives it back. */
function openResources(config: Config, workerFile: NonNullable<Parts['workerFile']>) {
  const { close: closePools, ...pools } = openPools(config, workerFile)
  const outgoing = openOutgoing(config)
  const publicOutgoing = openOutgoing({ ...config, OUTGOING_ALLOW: '' })
  const engine = openEngine(config)
  const { asker, close: closeAsker } = openAsker(config)
  const close = () =>
    Promise.all([closePools(), outgoing.close(), publicOutgoing.close(), engine?.outgoing.close(), closeAsker()])
  const blobs = createBlobStore({ url: config.BLOB_URL })
  return { pools, blobs, outgoing, publicOutgoing, asker, engine: engine?.engine, close }
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

function clientsOf(bus: Bus) {
  return {
    people: busClient(bus, peopleCalls, { service: 'identity' }),
    publishing: busClient(bus, publishingRpc, { service: 'publishing' }),
    specs: busClient(bus, openApiSpecCalls, { service: 'openapi-specs' }),
  }
}

function contextSettings(config: Config) {
  return {
    importWait: config.IMPORT_WAIT,
    publicUrl: config.PUBLIC_URL,
    signingSecret: config.SIGNING_SECRET,
    build: config.BUILD,
    templates,
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

/** The chat endpoint of the settings, if there is one, behind a client that reaches it on a private network, too. */
function openAsker(config: Config): { asker: Asker | undefined; close(): Promise<void> } {
  const { ASK_ENGINE_URL: url, ASK_ENGINE_KEY: key, ASK_ENGINE_MODEL: model, ASK_TIMEOUT: timeoutMs } = config
  if (url === undefined) return { asker: undefined, close: () => Promise.resolve() }
  const outgoing = createOutgoing({ allow: `${config.OUTGOING_ALLOW},${allowanceFor(url)}`, timeoutMs, maxBytes: 0 })
  const limits = {
    questions: config.ASK_MAX_QUESTIONS,
    tokens: config.ASK_MAX_TOKENS,
    concurrency: config.ASK_CONCURRENCY,
  }
  const { ASK_RETRY_DELAY: retryDelay, ASK_MAX_ANSWER: maxTokens, ASK_TOOL_TIMEOUT: toolTimeoutMs } = config
  const asker = createAsker(outgoing, { url, key, model, timeoutMs, toolTimeoutMs, retryDelay, maxTokens, limits })
  return { asker, close: () => outgoing.close() }
}

function translationLimits(config: Config) {
  return {
    bounds: { segments: config.TRANSLATION_MAX_SEGMENTS, characters: config.TRANSLATION_MAX_CHARACTERS },
    timeoutMs: config.TRANSLATION_TIMEOUT,
    concurrency: config.TRANSLATION_CONCURRENCY,
  }
}
