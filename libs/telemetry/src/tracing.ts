import { SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api'
import type { Attributes, Span, Tracer } from '@opentelemetry/api'
import { continueTrace } from './context.ts'
import type { Trace } from './context.ts'

/** How a span is named on the other side of the wire, its parent, and which errors are answers and not failures. */
export interface SpanOptions {
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  parent?: Trace | undefined
  attributes?: Attributes
  /** True for an error that is an ordinary answer (a Failure below 500): it does not mark the span failed. */
  expected?: (error: unknown) => boolean
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

let tracer: Tracer | undefined

/** Spans are recorded from now on with this tracer; undefined: no more. */
export function recordWith(next: Tracer | undefined): void {
  tracer = next
}

/** Runs `fn` in a span. Without an SDK no span is made, and the parent's trace is still what `fn` passes on and logs. */
export function withSpan<T>(name: string, options: SpanOptions, fn: () => Promise<T>): Promise<T> {
  if (tracer === undefined && options.parent === undefined) return fn()
  const parent = options.parent === undefined ? context.active() : continueTrace(options.parent)
  if (tracer === undefined) return context.with(parent, fn)
  const settings = { kind: kinds[options.kind ?? 'internal'], ...(options.attributes && { attributes: options.attributes }) }
  const span = tracer.startSpan(name, settings, parent)
  return context.with(trace.setSpan(parent, span), () => record(span, options, fn))
}

async function record<T>(span: Span, options: SpanOptions, fn: () => Promise<T>): Promise<T> {
  try {
    return await fn()
  } catch (error) {
    if (!options.expected?.(error)) markFailed(span, error)
    throw error
  } finally {
    span.end()
  }
}

function markFailed(span: Span, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  span.setStatus({ code: SpanStatusCode.ERROR, message })
  span.recordException(error instanceof Error ? error : message)
}
