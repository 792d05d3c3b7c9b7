import { context, createContextKey, propagation, trace } from '@opentelemetry/api'
import type { TextMapGetter, TextMapSetter } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'

/** Metadata of the request that the current async context belongs to. */
export interface RequestContext {
  requestId?: string
  operationId?: string
}

/** Headers of any transport: a plain record, or anything with `get`, `set` and `keys` (fetch and NATS headers). */
export type Headers = Record<string, unknown> | HeaderMap

interface HeaderMap {
  get(name: string): unknown
  set(name: string, value: string): unknown
  keys(): Iterable<string>
}

// Registered on import: traces propagate even in a process that never starts the SDK, which replaces both.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())

const requestKey = createContextKey('recto.request')

const isMap = (headers: Headers): headers is HeaderMap =>
  typeof headers.get === 'function' && typeof headers.set === 'function'

const getter: TextMapGetter<Headers> = {
  keys: headers => (isMap(headers) ? [...headers.keys()] : Object.keys(headers)),
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

/**
 * Runs `fn` with these values in its async context, added to those already there. With `incoming`, the lower-case headers
 * of an incoming message, `fn` continues their trace; malformed ones are ignored.
 */
export function runInContext<T>(values: RequestContext, fn: () => T, incoming?: Headers): T {
  const active = context.active()
  const base = incoming === undefined ? active : propagation.extract(active, incoming, getter)
  return context.with(base.setValue(requestKey, { ...currentContext(), ...values }), fn)
}

/** Returns the values of the enclosing `runInContext` calls; undefined outside of any. */
export function currentContext(): RequestContext | undefined {
  return context.active().getValue(requestKey) as RequestContext | undefined
}

/** Returns the id of the current trace (32 hexadecimal digits); undefined without one. */
export function currentTraceId(): string | undefined {
  return trace.getSpanContext(context.active())?.traceId
}

/** Writes the current trace to the headers, in the formats of `OTEL_PROPAGATORS`; W3C Trace Context without an SDK. */
export function injectTrace<H extends Headers>(headers: H): H {
  propagation.inject(context.active(), headers, setter)
  return headers
}
