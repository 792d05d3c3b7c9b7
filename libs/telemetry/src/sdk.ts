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

/** Milliseconds that a collector which does not answer may hold up the end of a process. */
const flushLimit = 1_500
const namespace = 'recto'

/** What is sent and in whose name; where to and how is read by the SDK from the standard `OTEL_*` variables. */
export interface TelemetryOptions {
  signals: Signals
  /** `service.name`, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` has one. */
  service: string
  /** `service.version`. */
  version?: string
  /** What is sent when metrics are. */
  metrics?: Metrics
  /** Gets what the SDK has to say: its warnings, or what `OTEL_LOG_LEVEL` asks for. */
  log?: Log
  /** `OTEL_LOG_LEVEL`. */
  logLevel?: string | undefined
}

/** Something to be stopped in an orderly way. */
export interface Stoppable {
  stop(): Promise<void>
}

/** Loads and starts the OTel SDK when there is something to send; else loads nothing. `stop` sends what is left. */
export async function startTelemetry(options: TelemetryOptions): Promise<Stoppable> {
  const { signals, metrics, version } = options
  if (!signals.traces && !signals.metrics) return { stop: async () => {} }
  const sdk = await createSdk(options)
  // The SDK registers its own, and would be refused beside ours.
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
      await withTimeout(flushLimit, sdk.shutdown()).catch((error: unknown) =>
        diag.warn('the last of it could not be sent', error),
      )
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
    // Logs are lines on standard output; an empty list keeps the SDK from making an exporter of its own for them, or for what is not asked for.
    logRecordProcessors: [],
    ...(!signals.traces && { spanProcessors: [] }),
    ...(!signals.metrics && { metricReaders: [] }),
  })
  // Asked for more or less, the SDK has just begun to write to the console.
  if (log && logLevel) setDiagnosticLog(log, core.diagLogLevelFromString(logLevel) ?? DiagLogLevel.WARN)
  return sdk
}

/** Weaker than what the environment says of the resource: the SDK merges that over it. */
function resourceOf({ service, version }: { service: string; version?: string }): Attributes {
  return {
    'service.name': service,
    'service.namespace': namespace,
    'service.instance.id': crypto.randomUUID(),
    ...(version !== undefined && { 'service.version': version }),
  }
}

/** The instrumentation patches pg in place when it is required: doing so here makes the order of imports irrelevant. */
function instrumentPostgres(): void {
  try {
    createRequire(import.meta.url)('pg')
  } catch {
    // a process without Postgres has nothing to instrument
  }
}

/** Nothing that the SDK says is an error to act on now: it is about what is seen of the process, not about its work. */
function setDiagnosticLog(log: Log, logLevel: DiagLogLevel): void {
  const warn = (message: string, ...details: unknown[]) => log.warn({ details }, `telemetry: ${message}`)
  // Less than a warning comes only when asked for, so it is not hidden by the level of the log.
  const info = (message: string, ...details: unknown[]) => log.info({ details }, `telemetry: ${message}`)
  diag.setLogger({ error: warn, warn, info, debug: info, verbose: info }, { logLevel, suppressOverrideMessage: true })
}
