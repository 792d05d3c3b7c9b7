import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { Metadata } from '@grpc/grpc-js'
import { metricsOf, spansOf, type SentMetric, type SentSpan } from './messages.ts'
import { decodeOtlp } from './protobuf.ts'

/** The protocols of `OTEL_EXPORTER_OTLP_PROTOCOL`. */
export type OtlpProtocol = 'http/protobuf' | 'http/json' | 'grpc'

/** An OTLP collector on loopback that records the requests sent to it. */
export interface OtlpEndpoint {
  /** The value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string
  spans: SentSpan[]
  metrics: SentMetric[]
  /** The path and headers of each export request. */
  requests: { path: string; headers: Record<string, unknown> }[]
  stop(): Promise<void>
}

type ReceivedSignals = Omit<OtlpEndpoint, 'url' | 'stop'>

/** Starts a collector for one protocol. */
export function anOtlpEndpoint(protocol: OtlpProtocol): Promise<OtlpEndpoint> {
  const signals: ReceivedSignals = { spans: [], metrics: [], requests: [] }
  return protocol === 'grpc' ? overGrpc(signals) : overHttp(signals, protocol)
}

function keep(signals: ReceivedSignals, message: unknown): void {
  signals.spans.push(...spansOf(message))
  signals.metrics.push(...metricsOf(message))
}

const kinds: Record<string, 'Traces' | 'Metrics'> = { '/v1/traces': 'Traces', '/v1/metrics': 'Metrics' }

async function overHttp(signals: ReceivedSignals, protocol: OtlpProtocol): Promise<OtlpEndpoint> {
  const contentType = protocol === 'http/json' ? 'application/json' : 'application/x-protobuf'
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    signals.requests.push({ path, headers })
    const kind = kinds[path]
    if (kind === undefined || headers['content-type'] !== contentType)
      return void response.writeHead(kind ? 415 : 404).end()
    const body = await bodyOf(request)
    keep(signals, protocol === 'http/json' ? JSON.parse(body.toString()) : decodeOtlp(kind, body))
    response.writeHead(200, { 'content-type': contentType }).end(protocol === 'http/json' ? '{}' : '')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { ...signals, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const bytes = await buffer(request)
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
}

async function overGrpc(signals: ReceivedSignals): Promise<OtlpEndpoint> {
  // Loaded on demand: every test imports this package, and few need gRPC.
  const { Server, ServerCredentials } = await import('@grpc/grpc-js')
  const server = new Server()
  for (const [path, kind] of [
    ['trace.v1.TraceService', 'Traces'],
    ['metrics.v1.MetricsService', 'Metrics'],
  ] as const) {
    const method = {
      path: `/opentelemetry.proto.collector.${path}/Export`,
      requestStream: false,
      responseStream: false,
    } as const
    const bytes = {
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    }
    server.addService(
      { Export: { ...method, ...bytes } },
      {
        Export: (call: { request: Buffer; metadata: Metadata }, answer: (error: null, reply: Buffer) => void) => {
          signals.requests.push({ path: method.path, headers: call.metadata.getMap() })
          keep(signals, decodeOtlp(kind, call.request))
          answer(null, Buffer.alloc(0))
        },
      },
    )
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  return { ...signals, url: `http://127.0.0.1:${port}`, stop: async () => server.forceShutdown() }
}

function asIs(bytes: Buffer): Buffer {
  return bytes
}
