import { ROOT_CONTEXT, context, createContextKey, trace } from '@opentelemetry/api'
import type { Context, TextMapGetter, TextMapSetter } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'

/** What is known about the request that the current code works for. */
export interface RequestContext {
  requestId?: string
  operationId?: string
  traceparent?: Trace
}

/** A W3C `traceparent` header, alone or with the `tracestate` that came with it. */
export type Trace = string | { traceparent: string; tracestate?: string }

/** Headers of any transport: a plain record, or anything with `get` and `set` (fetch and NATS headers). */
export type Headers = Record<string, unknown> | HeaderMap

interface HeaderMap {
  get(name: string): unknown
  set(name: string, value: string): unknown
}

// Registered on import: a trace is passed on even in a process that never starts the SDK.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

const requestKey = createContextKey('recto.request')
const propagator = new W3CTraceContextPropagator()

const isMap = (headers: Headers): headers is HeaderMap => typeof headers.get === 'function' && typeof headers.set === 'function'

const getter: TextMapGetter<Headers> = {
  keys: () => propagator.fields(),
  get(headers, name) {
    const value = isMap(headers) ? headers.get(name) : headers[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  },
}

const setter: TextMapSetter<Headers> = {
  set(headers, name, value) {
    if (isMap(headers)) headers.set(name, value)
    else headers[name] = value
  },
}

/** Runs `fn` with these values in its async context, added to those already there. A malformed `traceparent` is ignored. */
export function runInContext<T>(values: RequestContext, fn: () => T): T {
  const base = values.traceparent === undefined ? context.active() : continueTrace(values.traceparent)
  return context.with(base.setValue(requestKey, { ...currentContext(), ...values }), fn)
}

/** The values given to the enclosing `runInContext` calls; undefined outside of any. */
export function currentContext(): RequestContext | undefined {
  return context.active().getValue(requestKey) as RequestContext | undefined
}

/** The id of the current trace (32 hexadecimal digits), whether it began here or came in; undefined without one. */
export function currentTraceId(): string | undefined {
  return trace.getSpanContext(context.active())?.traceId
}

/** Writes `traceparent` and `tracestate` (W3C Trace Context) of the current span or of the incoming trace to the headers. */
export function injectTraceparent<H extends Headers>(headers: H): H {
  propagator.inject(context.active(), headers, setter)
  return headers
}

/** Reads a valid `traceparent` (W3C Trace Context) from lower-case headers; undefined when absent or malformed. */
export function extractTraceparent(headers: Headers): Trace | undefined {
  const traceparent = getter.get(headers, 'traceparent')
  if (typeof traceparent !== 'string') return undefined
  if (!trace.getSpanContext(propagator.extract(ROOT_CONTEXT, { traceparent }, getter))) return undefined
  const tracestate = getter.get(headers, 'tracestate')
  return typeof tracestate === 'string' ? { traceparent, tracestate } : traceparent
}

/** The active context with the given trace as its remote parent. */
export function continueTrace(parent: Trace): Context {
  const headers = typeof parent === 'string' ? { traceparent: parent } : { ...parent }
  return propagator.extract(context.active(), headers, getter)
}
