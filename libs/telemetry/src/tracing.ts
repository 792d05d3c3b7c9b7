import { SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api'
import type { Attributes, Span, Tracer } from '@opentelemetry/api'
import { toFailure } from '@recto/operation'

/** What a span says beside its name; attributes follow the semantic conventions of OpenTelemetry. */
export interface SpanOptions {
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  /** Asked for only when spans are recorded. */
  attributes?: () => Attributes
  /** What is known at the end; `error` is what was thrown, undefined after a success. */
  outcome?: (error: unknown) => Attributes
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
export function setTracer(next: Tracer | undefined): void {
  tracer = next
}

/**
 * Runs `fn` in a span; without an SDK just runs it. What `fn` throws is the span's `error.type` by its failure code, and
 * marks the span failed unless it is a `Failure` below 500, which is an answer.
 */
export function withSpan<T>(name: string, options: SpanOptions, fn: () => Promise<T>): Promise<T> {
  if (tracer === undefined) return fn()
  const { kind = 'internal', attributes } = options
  const span = tracer.startSpan(name, { kind: kinds[kind], ...(attributes && { attributes: attributes() }) })
  return context.with(trace.setSpan(context.active(), span), () => record(span, options, fn))
}

async function record<T>(span: Span, { outcome }: SpanOptions, fn: () => Promise<T>): Promise<T> {
  try {
    const result = await fn()
    if (outcome) span.setAttributes(outcome(undefined))
    return result
  } catch (error) {
    const { code, status } = toFailure(error)
    span.setAttributes({ 'error.type': code, ...outcome?.(error) })
    if (status >= 500) markFailed(span, error)
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
