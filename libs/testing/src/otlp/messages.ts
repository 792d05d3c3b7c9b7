/** A span as exported over OTLP. */
export interface SentSpan {
  traceId: string
  spanId: string
  /** Empty for the root span of a trace. */
  parentSpanId: string
  name: string
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  isFailed: boolean
  /** Nanoseconds since the epoch. */
  startedAt: bigint
  endedAt: bigint
  attributes: Attributes
  /** Resource attributes of the exporting process. */
  resource: Attributes
}

/** A metric as exported over OTLP; a histogram's point has `count`, `sum` and `bounds`, any other a `value`. */
export interface SentMetric {
  name: string
  unit: string
  type: 'sum' | 'gauge' | 'histogram'
  points: { attributes: Attributes; value?: number; count?: number; sum?: number; bounds?: number[] }[]
  resource: Attributes
}

export type Attributes = Record<string, unknown>

/** The subset of OTLP/JSON that is read here; fields with their Protocol Buffers default may be absent. */
interface Resource {
  attributes?: KeyValue[]
}
interface KeyValue {
  key: string
  value?: Value
}
interface Value {
  stringValue?: string
  boolValue?: boolean
  intValue?: number | string
  doubleValue?: number
  arrayValue?: { values?: Value[] }
}
interface WireSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind?: number
  status?: { code?: number }
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: KeyValue[]
}
interface WirePoint {
  attributes?: KeyValue[]
  asDouble?: number
  asInt?: number | string
  count?: number | string
  sum?: number
  explicitBounds?: number[]
}
interface WireMetric {
  name: string
  unit?: string
  sum?: { dataPoints?: WirePoint[] }
  gauge?: { dataPoints?: WirePoint[] }
  histogram?: { dataPoints?: WirePoint[] }
}

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const
const failed = 2

/** The spans of an ExportTraceServiceRequest. */
export function spansOf(message: unknown): SentSpan[] {
  const { resourceSpans = [] } = message as {
    resourceSpans?: { resource?: Resource; scopeSpans?: { spans?: WireSpan[] }[] }[]
  }
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans
      .flatMap(({ spans = [] }) => spans)
      .map(span => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        kind: kinds[span.kind ?? 0] ?? 'internal',
        isFailed: span.status?.code === failed,
        startedAt: BigInt(span.startTimeUnixNano),
        endedAt: BigInt(span.endTimeUnixNano),
        attributes: attributesOf(span.attributes),
        resource: attributesOf(resource?.attributes),
      })),
  )
}

/** The metrics of an ExportMetricsServiceRequest. */
export function metricsOf(message: unknown): SentMetric[] {
  const { resourceMetrics = [] } = message as {
    resourceMetrics?: { resource?: Resource; scopeMetrics?: { metrics?: WireMetric[] }[] }[]
  }
  return resourceMetrics.flatMap(({ resource, scopeMetrics = [] }) =>
    scopeMetrics
      .flatMap(({ metrics = [] }) => metrics)
      .map(metric => ({
        name: metric.name,
        unit: metric.unit ?? '',
        type: metric.sum ? 'sum' : metric.gauge ? 'gauge' : 'histogram',
        points: (metric.sum ?? metric.gauge ?? metric.histogram)?.dataPoints?.map(pointOf) ?? [],
        resource: attributesOf(resource?.attributes),
      })),
  )
}

function pointOf({ attributes, asDouble, asInt, count, sum, explicitBounds }: WirePoint): SentMetric['points'][number] {
  const own = attributesOf(attributes)
  if (count === undefined) return { attributes: own, value: asDouble ?? Number(asInt ?? 0) }
  return { attributes: own, count: Number(count), sum: sum ?? 0, bounds: explicitBounds ?? [] }
}

function attributesOf(pairs: KeyValue[] = []): Attributes {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, valueOf(value)]))
}

function valueOf({ stringValue, boolValue, intValue, doubleValue, arrayValue }: Value = {}): unknown {
  if (arrayValue) return arrayValue.values?.map(value => valueOf(value)) ?? []
  return stringValue ?? boolValue ?? doubleValue ?? (intValue === undefined ? undefined : Number(intValue))
}
