import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from '@jest/globals'
import { currentTraceId, injectTraceparent, runInContext, startTelemetry, tracesEndpoint, withSpan } from './index.ts'

interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  status: { code?: number }
}

interface Exported {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] }
    scopeSpans: { spans: SentSpan[] }[]
  }[]
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`
const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach(close => close()))

/** A collector on loopback that keeps the spans sent to it as OTLP JSON. */
async function collector() {
  const spans: SentSpan[] = []
  const services: string[] = []
  const server = createServer(async (req, res) => {
    for (const { resource, scopeSpans } of ((await json(req)) as Exported).resourceSpans) {
      for (const { key, value } of resource.attributes) if (key === 'service.name') services.push(value.stringValue)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
  return { endpoint, services, span: (name: string) => spans.find(span => span.name === name) }
}

test('queries of an already loaded pg are traced, and no longer after the stop', async () => {
  const pg = createRequire(import.meta.url)('pg')
  const plain = pg.Client.prototype.query
  const { endpoint } = await collector()
  const telemetry = await startTelemetry({ service: 'content', endpoint })
  expect(pg.Client.prototype.query).not.toBe(plain)
  await telemetry.stop()
  expect(pg.Client.prototype.query).toBe(plain)
})

test('spans of two processes hang together over the traceparent', async () => {
  const { endpoint, services, span } = await collector()
  const telemetry = await startTelemetry({ service: 'content', endpoint })
  const sent = await runInContext({ traceparent }, () =>
    withSpan('request', { kind: 'client' }, async () => injectTraceparent({} as Record<string, string>)),
  )
  await withSpan('getSpace', { kind: 'server', parent: sent.traceparent }, () => withSpan('load', {}, async () => {}))
  await telemetry.stop()
  expect(services).toContain('content')
  expect(span('request')).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', kind: 3 })
  expect(span('getSpace')).toMatchObject({ traceId, parentSpanId: span('request')?.spanId, kind: 2 })
  expect(span('load')).toMatchObject({ traceId, parentSpanId: span('getSpace')?.spanId, kind: 1 })
})

test('an expected error does not mark the span failed, any other does', async () => {
  const { endpoint, span } = await collector()
  const telemetry = await startTelemetry({ service: 'content', endpoint })
  const fail = (name: string, expected: () => boolean) =>
    expect(withSpan(name, { expected }, () => Promise.reject(new Error(name)))).rejects.toThrow(name)
  await fail('missing', () => true)
  await fail('broken', () => false)
  await telemetry.stop()
  expect(span('missing')?.status.code ?? 0).toBe(0)
  expect(span('broken')?.status.code).toBe(2)
})

test('a trace begins where none came in, and none begins after the stop', async () => {
  const { endpoint } = await collector()
  const telemetry = await startTelemetry({ service: 'gateway', endpoint })
  expect(await withSpan('request', {}, async () => currentTraceId())).toMatch(/^[0-9a-f]{32}$/)
  await telemetry.stop()
  expect(await withSpan('request', {}, async () => currentTraceId())).toBeUndefined()
})

describe('the endpoint', () => {
  const cases: [Record<string, string>, string | undefined][] = [
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, 'http://c:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/base/' }, 'http://c:4318/base/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/x' }, 'http://t/x'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' }, undefined],
  ]
  test.each(cases)('of %j is %s', (env, endpoint) => expect(tracesEndpoint(env)).toBe(endpoint))
})
