import { eventStream, type Client, type Operation, type Operations } from '@recto/operation'
import type { Bus } from './connection.ts'
import { parsedEvents } from './events.ts'
import { requestReply, wholeBody } from './request.ts'
import { headerJson } from './wire.ts'

interface ClientOptions {
  /** The service that is called. */
  service: string
  /** `rpc` between services; `api` is the gateway's, and the tests'. */
  prefix?: 'rpc' | 'api'
  /** The actor to call as, sent in `Recto-Actor`. */
  actor?: unknown
  /** Milliseconds to wait, or longer where the row says so; the connection's `callTimeout` unless given. */
  timeout?: number
}

interface UntypedCall {
  params?: unknown
  query?: unknown
  body?: unknown
  headers?: unknown
  raw?: Uint8Array
  signature?: unknown
}

/** Creates a typed client over the bus with one method per row; methods throw the `Failure` of the reply, `unavailable` or `timeout`. */
export function busClient<T extends Operations>(bus: Bus, rows: T, options: ClientOptions): Client<T> {
  const methods = Object.entries(rows).map(([id, row]) => [
    id,
    (call?: UntypedCall) => callOperation(bus, { ...options, id, row }, call ?? {}),
  ])
  return Object.fromEntries(methods) as Client<T>
}

async function callOperation(
  bus: Bus,
  target: ClientOptions & { id: string; row: Operation },
  call: UntypedCall,
): Promise<unknown> {
  bus.beforeCall?.(target.id)
  const reply = await requestReply(bus, {
    subject: `${target.prefix ?? 'rpc'}.${target.service}.${target.id}`,
    actor: target.actor === undefined ? undefined : headerJson(target.actor),
    params: headerJson({
      params: call.params ?? {},
      query: call.query ?? {},
      ...(target.row.request?.headers && { headers: call.headers ?? {} }),
      ...(target.row.limits?.signedBytes !== undefined && { signature: call.signature }),
    }),
    body: call.raw ?? (call.body === undefined ? undefined : Buffer.from(encodeBody(target.row, call.body))),
    timeout: Math.max(target.row.limits?.timeoutMs ?? 0, target.timeout ?? bus.callTimeout),
    retry: target.row.route?.startsWith('GET') ?? false,
  })
  if (target.row.response?.mediaType === eventStream && reply.events) return parsedEvents(reply.events)
  const body = await wholeBody(reply)
  // A text may be empty; without one there is no reply.
  if (body.byteLength === 0) return target.row.response?.mediaType ? '' : undefined
  const text = Buffer.from(body).toString()
  return target.row.response?.mediaType ? text : JSON.parse(text)
}

function encodeBody(row: Operation, body: unknown): string {
  return row.request?.form ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
}
