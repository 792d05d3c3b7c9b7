import { createRequire } from 'node:module'
import { DiagLogLevel, context, diag, metrics as metricsApi, propagation, trace } from '@opentelemetry/api'
import type { Attributes } from '@opentelemetry/api'
import type { NodeSDK } from '@opentelemetry/sdk-node'
import type { Log } from './log.ts'
import { mirrorMetrics } from './meter.ts'
import type { Metrics } from './metrics.ts'
import type { Signals } from './signals.ts'
import { setTracer } from './tracing.ts'
import { withTimeout } from './with-timeout.ts'

/** Milliseconds that an unresponsive collector may delay the end of a process. */
const flushLimit = 1_500
const namespace = 'recto'

/** The signals to export and the resource; the SDK reads the exporters from the standard `OTEL_*` variables. */
export interface TelemetryOptions {
  signals: Signals
  /** `service.name`, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` has one. */
  service: string
  /** `service.version`. */
  version?: string
  /** The metrics to export. */
  metrics?: Metrics
  /** Receives the SDK's diagnostics: warnings, or the level of `OTEL_LOG_LEVEL`. */
  log?: Log
  /** `OTEL_LOG_LEVEL`. */
  logLevel?: string | undefined
}

/** A resource with an orderly stop. */
export interface Stoppable {
  stop(): Promise<void>
}

/** Loads and starts the OTel SDK if a signal is exported; else loads nothing. `stop` flushes. */
export async function startTelemetry(options: TelemetryOptions): Promise<Stoppable> {
  const { signals, metrics, version } = options
  if (!signals.traces && !signals.metrics) return { stop: async () => {} }
  const sdk = await createSdk(options)
  // The API accepts one registration: ours makes room for the SDK's.
  context.disable()
  propagation.disable()
  sdk.start()
  instrumentPostgres()
  if (signals.traces) setTracer(trace.getTracer(namespace, version))
  const mirror =
    signals.metrics && metrics ? mirrorMetrics(metrics, metricsApi.getMeter(namespace, version)) : undefined
  return {
    async stop() {
      setTracer(undefined)
      await withTimeout(flushLimit, sdk.shutdown()).catch((error: unknown) => diag.warn('final flush failed', error))
      mirror?.stop()
    },
  }
}

async function createSdk({ signals, log, logLevel, ...service }: TelemetryOptions): Promise<NodeSDK> {
  const [{ NodeSDK, core, resources }, { PgInstrumentation }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/instrumentation-pg'),
  ])
  if (log && !logLevel) setDiagnosticLog(log, DiagLogLevel.WARN)
  const sdk = new NodeSDK({
    resource: resources.defaultResource().merge(resources.resourceFromAttributes(resourceOf(service))),
    instrumentations: [new PgInstrumentation({ requireParentSpan: true })],
    // Logs are lines on standard output; empty lists keep the SDK from creating default exporters.
    logRecordProcessors: [],
    ...(!signals.traces && { spanProcessors: [] }),
    ...(!signals.metrics && { metricReaders: [] }),
  })
  // With a log level set, the SDK has just registered a console logger.
  if (log && logLevel) setDiagnosticLog(log, core.diagLogLevelFromString(logLevel) ?? DiagLogLevel.WARN)
  return sdk
}

/** Default resource attributes; the SDK merges those of the environment over them. */
function resourceOf({ service, version }: { service: string; version?: string }): Attributes {
  return {
    'service.name': service,
    'service.namespace': namespace,
    'service.instance.id': crypto.randomUUID(),
    ...(version !== undefined && { 'service.version': version }),
  }
}

/** The instrumentation patches pg when it is required; requiring it here makes the order of imports irrelevant. */
function instrumentPostgres(): void {
  try {
    createRequire(import.meta.url)('pg')
  } catch {
    // a process without Postgres has nothing to instrument
  }
}

/**
 * Sends the diagnostics of the SDK to the log: errors as warnings, since they affect observability and not the work of the process, and
 * lower levels at `info`.
 */
function setDiagnosticLog(log: Log, logLevel: DiagLogLevel): void {
  const warn = (message: string, ...details: unknown[]) => log.warn({ details }, `telemetry: ${message}`)
  // Lower levels appear only when `OTEL_LOG_LEVEL` asks for them, so they are logged at info.
  const info = (message: string, ...details: unknown[]) => log.info({ details }, `telemetry: ${message}`)
  diag.setLogger({ error: warn, warn, info, debug: info, verbose: info }, { logLevel, suppressOverrideMessage: true })
}
