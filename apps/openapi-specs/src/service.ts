import { fileURLToPath } from 'node:url'
import type { Actor } from '@recto/actor'
import { busClient } from '@recto/bus'
import { shownSpecCalls } from '@recto/contracts-content-bus'
import { openApiSpecsApi } from '@recto/contracts-openapi-specs'
import { openApiSpecsRpc } from '@recto/contracts-openapi-specs-bus'
import { refusedToMember } from '@recto/contracts-shared'
import { compose } from '@recto/operation'
import { createOutgoing } from '@recto/outgoing'
import { busSettings, databaseLimits, type RunningService, startDatabaseService, startScheduler } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { createWorkerPool } from '@recto/worker-pool'
import { specificationDatabase } from './database.ts'
import { specFeature } from './specs/specs.handlers.ts'
import { publicSpecFeature, versionFeature } from './versions/versions.handlers.ts'
import { specCallFeature } from './specs/spec-calls.handlers.ts'
import { unusedContentDeletionJob } from './versions/delete-unused.ts'
import { textFetcher } from './processing/fetch-text.ts'
import { createProcessor } from './processing/processor.ts'
import type { SpecificationTasks } from './processing/read-source.ts'
import { readUrl } from './processing/read-url.ts'
import type { Config } from './shared/config.ts'
import { openContents } from './contents/contents.ts'
import type { BaseContext } from './shared/context.ts'
import { yamlTexts, type YamlTasks } from './contents/yaml-texts.ts'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
  redeliverAfter?: number
  /** The module of the worker threads; beside this one unless given. */
  workerFile?: () => string
}

/** Megabytes of heap and stack of a thread that reads a specification. */
const threadLimits = { threads: 2, memoryMb: 768, stackMb: 16 }

const beside = () => fileURLToPath(new URL('./specification-worker.js', import.meta.url))

/** Milliseconds for reading one specification with all that it refers to. */
const readLimit = ({ SPEC_TIMEOUT }: Config): number => 2 * SPEC_TIMEOUT

const processingLimits = (config: Config) => ({
  pollInterval: config.SPEC_POLL_INTERVAL,
  timeoutMs: readLimit(config),
  concurrency: config.SPEC_CONCURRENCY,
})

/** Starts the service of OpenAPI specifications. */
export async function startOpenApiSpecs(config: Config, parts: Parts): Promise<RunningService> {
  const { workerFile = beside, ...rest } = parts
  const contents = openContents(config.BLOB_URL)
  const { OUTGOING_ALLOW: allow, SPEC_MAX_BYTES: maxBytes, SPEC_TIMEOUT: timeoutMs } = config
  const outgoing = createOutgoing({ allow, maxBytes, timeoutMs })
  const workerLimits = { ...threadLimits, file: workerFile, timeoutMs }
  const pool = createWorkerPool<SpecificationTasks>(workerLimits)
  const yamlPool = createWorkerPool<YamlTasks>({ ...workerLimits, threads: 1, memoryMb: 512 })
  const reading = { pool, fetchText: textFetcher(outgoing), maxBytes, maxFiles: config.SPEC_MAX_FILES }
  const yamlOf = yamlTexts(contents, yamlPool)
  const service = await startDatabaseService<BaseContext, Actor>({
    name: 'openapi-specs',
    ...busSettings(config),
    secret: config.SIGNING_SECRET,
    database: specificationDatabase(config.DATABASE_URL_OPENAPI_SPECS, databaseLimits(config)),
    refused: refusedToMember('openapi-specs'),
    api: compose<BaseContext>()(openApiSpecsApi, [specFeature, versionFeature, publicSpecFeature]),
    calls: compose<BaseContext>()(openApiSpecsRpc, [specCallFeature]),
    build({ bus, db, transaction, listening }) {
      const tools = { ...reading, db, transaction, contents, log: parts.log }
      const processor = createProcessor({ ...tools, ...processingLimits(config) })
      const works = [processor.work, unusedContentDeletionJob(db, transaction, contents)]
      const scheduler = startScheduler(works, parts.log, listening)
      const own = {
        publicUrl: config.PUBLIC_URL,
        contents,
        yamlOf,
        content: busClient(bus, shownSpecCalls, { service: 'content' }),
        processDue: () => processor.wake(),
        readSpecification: (url: string) =>
          readUrl(url, { tools: reading, signal: AbortSignal.timeout(readLimit(config)) }),
      }
      return {
        context: base => ({ ...base, ...own }),
        stop: async () => void (await Promise.all([scheduler.stop(), processor.stop()])),
      }
    },
    check: () => contents.check(),
    ...rest,
  })
  return {
    ...service,
    async stop() {
      await service.stop()
      await Promise.all([pool.close(), yamlPool.close(), outgoing.close()])
      contents.close()
    },
  }
}
