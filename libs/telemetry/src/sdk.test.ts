import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { anOtlpEndpoint, type OtlpEndpoint, type OtlpProtocol } from '@recto/testing'
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { bundled } from './test/bundle.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${spanId}-01`

let program: string
beforeAll(async () => {
  program = await bundled('toy-sender')
})
const open: OtlpEndpoint[] = []
afterEach(async () => {
  for (const endpoint of open.splice(0)) await endpoint.stop()
})

async function endpointOf(protocol: OtlpProtocol): Promise<OtlpEndpoint> {
  const endpoint = await anOtlpEndpoint(protocol)
  open.push(endpoint)
  return endpoint
}

interface Told {
  headers: Record<string, string>
  traceId?: string
  traceIdAfterStop?: string
  isPgPatched: boolean
  loaded: string[]
}

/** Runs the process until it exits, with only the given environment. */
async function run(
  env: Record<string, string>,
  incoming: Record<string, string> = {},
): Promise<Told & { log: { level: string; msg: string }[] }> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', program, JSON.stringify(incoming)],
    { env },
  )
  const log = stderr
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
  return { ...(JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as Told), log }
}

const ofOpenTelemetry = ({ loaded }: Told) =>
  loaded.filter(name => /opentelemetry|grpc|protobuf|in-the-middle/.test(name)).toSorted()
const spanOf = ({ spans }: OtlpEndpoint, name: string) => spans.find(span => span.name === name)
const metricOf = ({ metrics }: OtlpEndpoint, name: string) => metrics.find(metric => metric.name === name)

describe('without an exporter', () => {
  test.each([
    {},
    { OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' },
  ])('by %j no module of the SDK is loaded', async env => {
    const told = await run(env as Record<string, string>)
    expect(ofOpenTelemetry(told)).toEqual([
      '@opentelemetry/api',
      '@opentelemetry/context-async-hooks',
      '@opentelemetry/core',
      '@opentelemetry/semantic-conventions',
    ])
    expect(told).toMatchObject({ isPgPatched: false, headers: {} })
  })

  test('an incoming W3C trace context is propagated', async () => {
    expect(await run({}, { traceparent, tracestate: 'vendor=1' })).toMatchObject({
      traceId,
      headers: { traceparent, tracestate: 'vendor=1' },
    })
  })
})

describe.each(['http/protobuf', 'http/json', 'grpc'] as const)('over %s', protocol => {
  test('traces and metrics are exported to one endpoint, with all resource attributes of the process', async () => {
    const endpoint = await endpointOf(protocol)
    const told = await run(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=k1',
      },
      { traceparent },
    )
    expect(told).toMatchObject({ traceId, isPgPatched: true })
    expect(told.traceIdAfterStop).toBeUndefined()
    const parent = spanOf(endpoint, 'getSpace')
    expect(parent).toMatchObject({
      traceId,
      parentSpanId: spanId,
      kind: 'server',
      isFailed: false,
      attributes: { 'toy.succeeded': true },
    })
    expect(spanOf(endpoint, 'load')).toMatchObject({
      traceId,
      parentSpanId: parent?.spanId,
      kind: 'internal',
      attributes: { 'toy.loaded': 3 },
    })
    expect(spanOf(endpoint, 'missing')).toMatchObject({ isFailed: false, attributes: { 'error.type': 'not_found' } })
    expect(spanOf(endpoint, 'broken')).toMatchObject({ isFailed: true, attributes: { 'error.type': 'internal' } })
    const resource = {
      'service.name': 'toy',
      'service.namespace': 'recto',
      'service.version': '1.2.3',
      'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/),
      'telemetry.sdk.language': 'nodejs',
    }
    expect(parent?.resource).toMatchObject(resource)
    expect(metricOf(endpoint, 'operations_total')).toMatchObject({
      type: 'sum',
      unit: '1',
      points: [{ value: 2, attributes: { operation: 'getSpace' } }],
      resource,
    })
    expect(endpoint.requests.length).toBeGreaterThan(1)
    for (const { headers } of endpoint.requests) expect(headers).toMatchObject({ 'x-api-key': 'k1' })
  })
})

describe('metrics', () => {
  test('have the names of /metrics, with units', async () => {
    const endpoint = await endpointOf('http/protobuf')
    const told = await run({
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${endpoint.url}/v1/metrics`,
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    })
    expect(endpoint.spans).toEqual([])
    expect(told.traceId).toBeUndefined()
    expect(endpoint.requests[0]?.headers).toMatchObject({ 'content-encoding': 'gzip' })
    expect(metricOf(endpoint, 'operation_duration_seconds')).toMatchObject({
      type: 'histogram',
      unit: 's',
      points: [{ count: 2, sum: 0.32, attributes: { operation: 'getSpace' } }],
    })
    expect(metricOf(endpoint, 'operation_duration_seconds')?.points[0]?.bounds).toContain(0.025)
    expect(metricOf(endpoint, 'operation_errors_total')).toMatchObject({
      points: [{ value: 1, attributes: { operation: 'getSpace', code: 'not_found' } }],
    })
    expect(metricOf(endpoint, 'pool_connections')).toMatchObject({
      type: 'gauge',
      points: expect.arrayContaining([
        expect.objectContaining({ value: 3, attributes: { pool: 'postgres', state: 'total' } }),
      ]),
    })
    expect(metricOf(endpoint, 'process_resident_memory_bytes')).toMatchObject({ type: 'gauge', unit: 'By' })
    expect(metricOf(endpoint, 'process_cpu_seconds_total')).toMatchObject({ type: 'sum', unit: 's' })
    expect(metricOf(endpoint, 'nodejs_gc_duration_seconds')).toMatchObject({
      type: 'histogram',
      unit: 's',
      points: expect.arrayContaining([expect.objectContaining({ attributes: { kind: 'major' } })]),
    })
  })

  test('use delta temporality when configured', async () => {
    const endpoint = await endpointOf('http/json')
    await run({
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRIC_EXPORT_INTERVAL: '50',
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta',
    })
    const sent = endpoint.metrics
      .filter(({ name }) => name === 'operations_total')
      .flatMap(({ points }) => points.map(({ value = 0 }) => value))
    expect(sent.reduce((sum, value) => sum + value, 0)).toBe(2)
  })
})

describe('the environment', () => {
  test('sets the service name and adds resource attributes', async () => {
    const endpoint = await endpointOf('http/protobuf')
    await run({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url,
      OTEL_SERVICE_NAME: 'docs',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.namespace=company',
    })
    expect(spanOf(endpoint, 'getSpace')?.resource).toMatchObject({
      'service.name': 'docs',
      'service.namespace': 'company',
      'deployment.environment.name': 'test',
      'service.version': '1.2.3',
    })
  })

  test('selects the sampler', async () => {
    const endpoint = await endpointOf('http/protobuf')
    const env = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint.url}/v1/traces`,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    }
    const told = await run(env)
    expect(told.headers.traceparent).toMatch(/-00$/)
    expect(endpoint.spans).toEqual([])
    await run(env, { traceparent })
    expect(spanOf(endpoint, 'getSpace')).toMatchObject({ traceId })
  })

  test.each([
    ['b3', { b3: expect.stringMatching(`^${traceId}-[0-9a-f]{16}-1$`) }, { b3: `${traceId}-${spanId}-1` }],
    [
      'b3multi',
      { 'x-b3-traceid': traceId, 'x-b3-spanid': expect.any(String), 'x-b3-sampled': '1' },
      { 'x-b3-traceid': traceId, 'x-b3-spanid': spanId, 'x-b3-sampled': '1' },
    ],
    [
      'tracecontext,baggage',
      { traceparent: expect.stringContaining(traceId), baggage: 'tenant=one' },
      { traceparent, baggage: 'tenant=one' },
    ],
  ])('selects the propagator %s', async (propagators, outgoing, incoming) => {
    const endpoint = await endpointOf('http/protobuf')
    const told = await run(
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url, OTEL_PROPAGATORS: propagators },
      incoming as Record<string, string>,
    )
    expect(told.headers).toEqual(outgoing)
    expect(spanOf(endpoint, 'getSpace')).toMatchObject({ traceId, parentSpanId: spanId })
  })

  test('sets the log level of the SDK: warnings by default, in the log of the process', async () => {
    const gone = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '200' }
    const usual = await run({ ...gone, OTEL_TRACES_SAMPLER: 'sometimes' })
    expect(usual.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: expect.stringContaining('unknown OTEL_TRACES_SAMPLER value "sometimes"'),
      }),
    )
    expect((await run({ ...gone, OTEL_TRACES_SAMPLER: 'sometimes', OTEL_LOG_LEVEL: 'none' })).log).toEqual([])
    const much = await run({ ...gone, OTEL_LOG_LEVEL: 'debug' })
    expect(much.log).toContainEqual(
      expect.objectContaining({ level: 'info', msg: expect.stringContaining('telemetry: ') }),
    )
  })
})
