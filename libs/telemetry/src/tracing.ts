import { SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api'
import type { Attributes, Span, Tracer } from '@opentelemetry/api'
import { toFailure } from '@recto/operation'

/** A span's kind and attributes, which follow OpenTelemetry's semantic conventions. */
export interface SpanOptions {
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  /** Called only when spans are recorded. */
  attributes?: () => Attributes
  /** Attributes at the end; `error` is what was thrown, undefined after a success. */
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

/** Sets the tracer that records spans; undefined stops recording. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next
}

/**
 * Runs `fn` in a span; without an SDK just runs it. The failure code of what `fn` throws becomes `error.type`,
 * and marks the span failed unless its status is below 500.
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
