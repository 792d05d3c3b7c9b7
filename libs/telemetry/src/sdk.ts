import { createRequire } from 'node:module'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import type { Log } from './log.ts'
import { recordWith } from './tracing.ts'

/** Where spans go: nowhere without an endpoint (an OTLP/HTTP traces URL). `log` gets export errors. */
export interface TelemetryOptions {
  service: string
  endpoint?: string | undefined
  log?: Log
}

/** Something to be stopped in an orderly way. */
export interface Stoppable {
  stop(): Promise<void>
}

/** The OTLP/HTTP traces URL that the standard OTEL_* variables name; undefined when tracing is off. */
export function tracesEndpoint(env: Record<string, string | undefined>): string | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  if (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT
  return base ? `${base.replace(/\/+$/, '')}/v1/traces` : undefined
}

/** Loads the OTel SDK and records spans, with Postgres queries, when an endpoint is given; else loads nothing. `stop` sends what is left. */
export async function startTelemetry(options: TelemetryOptions): Promise<Stoppable> {
  if (!options.endpoint) return { stop: async () => {} }
  if (options.log) reportExportErrors(options.log)
  const provider = await createProvider(options.service, options.endpoint)
  const uninstrument = await instrumentPostgres(provider)
  recordWith(provider.getTracer('recto'))
  return {
    async stop() {
      recordWith(undefined)
      uninstrument()
      await provider.shutdown()
    },
  }
}

async function createProvider(service: string, endpoint: string) {
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: endpoint }))],
  })
  provider.register({ contextManager: null, propagator: null })
  return provider
}

async function instrumentPostgres(tracerProvider: Awaited<ReturnType<typeof createProvider>>): Promise<() => void> {
  const [{ registerInstrumentations }, { PgInstrumentation }] = await Promise.all([
    import('@opentelemetry/instrumentation'),
    import('@opentelemetry/instrumentation-pg'),
  ])
  const uninstrument = registerInstrumentations({ tracerProvider, instrumentations: [new PgInstrumentation({ requireParentSpan: true })] })
  requirePostgres()
  return uninstrument
}

/** The instrumentation patches pg in place when it is required: doing so here makes the order of imports irrelevant. */
function requirePostgres(): void {
  try {
    createRequire(import.meta.url)('pg')
  } catch {
    // a process without Postgres has nothing to instrument
  }
}

function reportExportErrors(log: Log): void {
  const warn = (message: string, ...details: unknown[]) => log.warn({ details }, `telemetry: ${message}`)
  const nothing = () => {}
  diag.setLogger({ error: warn, warn, info: nothing, debug: nothing, verbose: nothing }, DiagLogLevel.WARN)
}
