import { expect, test } from '@jest/globals'
import { exportedSignals, type SignalVariables } from './index.ts'

const both = 'traces and metrics'
const neither = 'nothing'
const cases: [SignalVariables, string][] = [
  [{}, neither],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, neither],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, both],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_METRICS_EXPORTER: 'none' }, 'traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_METRICS_EXPORTER: 'prometheus' }, 'traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' }, 'metrics'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces' }, 'traces'],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c:4318/v1/metrics' }, 'metrics'],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'traces'],
  [{ OTEL_TRACES_EXPORTER: 'console', OTEL_METRICS_EXPORTER: 'otlp' }, both],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: ' none ' }, neither],
  [{ OTEL_TRACES_EXPORTER: ' ', OTEL_METRICS_EXPORTER: 'prometheus' }, neither],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }, neither],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'TRUE' }, neither],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'false' }, both],
]
test.each(cases)('by %j there is sent: %s', (env, expected) => {
  const { traces, metrics } = exportedSignals(env)
  expect([traces && 'traces', metrics && 'metrics'].filter(Boolean).join(' and ') || neither).toBe(expected)
})
