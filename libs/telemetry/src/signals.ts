/** The signals that this process exports; without any the OTel SDK is not loaded. */
export interface Signals {
  traces: boolean
  metrics: boolean
}

/** The standard variables that select signals; an empty one counts as unset. */
export type SignalVariables = Partial<
  Record<
    | 'OTEL_SDK_DISABLED'
    | 'OTEL_TRACES_EXPORTER'
    | 'OTEL_METRICS_EXPORTER'
    | 'OTEL_EXPORTER_OTLP_ENDPOINT'
    | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
    | 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    string | undefined
  >
>

/**
 * Returns the signals that the standard variables select: those with an exporter, or with an OTLP endpoint (common or their
 * own) and no exporter of `none`. `OTEL_SDK_DISABLED=true` turns everything off.
 */
export function exportedSignals(env: SignalVariables): Signals {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return { traces: false, metrics: false }
  const common = env.OTEL_EXPORTER_OTLP_ENDPOINT
  return {
    traces: isExported(env.OTEL_TRACES_EXPORTER, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || common),
    metrics: isExported(
      withoutPrometheus(env.OTEL_METRICS_EXPORTER),
      env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT || common,
    ),
  }
}

function isExported(exporter: string | undefined, endpoint: string | undefined): boolean {
  return exporter?.trim() ? exporter.trim() !== 'none' : Boolean(endpoint?.trim())
}

/** Every process serves `/metrics` already; the SDK would open another port for it. */
function withoutPrometheus(exporter: string | undefined): string | undefined {
  return exporter?.trim() === 'prometheus' ? 'none' : exporter
}
