import { createRequire } from 'node:module'
import { PerformanceObserver } from 'node:perf_hooks'
import { Failure } from '@recto/operation'
import {
  createLog,
  createMetrics,
  currentTraceId,
  exportedSignals,
  injectTrace,
  runInContext,
  startTelemetry,
  withSpan,
} from '../index.ts'
import { environment } from './config.ts'

/** A process that does a little traced work, configured by its environment, and prints what a test checks as one line of JSON. */
const log = createLog({ service: 'toy', destination: { write: line => void process.stderr.write(line) } })
const metrics = createMetrics('toy')
const requests = createRequire(import.meta.url)
const { query } = requests('pg').Client.prototype
const telemetry = await startTelemetry({
  service: 'toy',
  version: '1.2.3',
  signals: exportedSignals(environment),
  metrics,
  log,
  logLevel: environment.OTEL_LOG_LEVEL,
})

/** Comes when all who observe it have been told. */
const collectGarbage = () =>
  new Promise<unknown>(resolve => {
    new PerformanceObserver(resolve).observe({ entryTypes: ['gc'] })
    globalThis.gc?.()
  })
const fail = (name: string, error: Error) => withSpan(name, {}, () => Promise.reject(error)).catch(() => undefined)
const incoming = JSON.parse(process.argv[2] ?? '{}')
const work = async () => {
  const headers = injectTrace<Record<string, string>>({})
  await withSpan('load', { attributes: () => ({ 'toy.loaded': 3 }) }, async () => undefined)
  await fail('missing', new Failure('not_found', 'There is none'))
  await fail('broken', new Error('broken'))
  return { headers, traceId: currentTraceId() }
}
const outcome = (error: unknown) => ({ 'toy.succeeded': error === undefined })
const seen = await runInContext({}, () => withSpan('getSpace', { kind: 'server', outcome }, work), incoming)
metrics.operations.observe({ operation: 'getSpace', seconds: 0.02 })
metrics.operations.observe({ operation: 'getSpace', seconds: 0.3, code: 'not_found' })
await collectGarbage()
metrics.registerPool('postgres', () => ({ total: 3, idle: 1, waiting: 0 }))
await telemetry.stop()

const loaded = new Set(
  Object.keys(requests.cache).flatMap(path => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
)
const traceIdAfterStop = await withSpan('late', {}, async () => currentTraceId())
process.stdout.write(
  JSON.stringify({
    ...seen,
    traceIdAfterStop,
    isPgPatched: requests('pg').Client.prototype.query !== query,
    loaded: [...loaded],
  }),
)
