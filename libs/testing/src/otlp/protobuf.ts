/** Fields of the OTLP messages by number: their OTLP/JSON name and their type; `[]` marks repeated fields. */
const messages: Record<string, Record<number, string>> = {
  Traces: { 1: 'resourceSpans ResourceSpans[]' },
  ResourceSpans: { 1: 'resource Resource', 2: 'scopeSpans ScopeSpans[]' },
  ScopeSpans: { 1: 'scope Scope', 2: 'spans Span[]' },
  Span: {
    ...{ 1: 'traceId hex', 2: 'spanId hex', 4: 'parentSpanId hex', 5: 'name string', 6: 'kind varint' },
    ...{
      7: 'startTimeUnixNano fixed64',
      8: 'endTimeUnixNano fixed64',
      9: 'attributes KeyValue[]',
      15: 'status Status',
    },
  },
  Status: { 2: 'message string', 3: 'code varint' },
  Metrics: { 1: 'resourceMetrics ResourceMetrics[]' },
  ResourceMetrics: { 1: 'resource Resource', 2: 'scopeMetrics ScopeMetrics[]' },
  ScopeMetrics: { 1: 'scope Scope', 2: 'metrics Metric[]' },
  Metric: {
    1: 'name string',
    2: 'description string',
    3: 'unit string',
    5: 'gauge Points',
    7: 'sum Points',
    9: 'histogram Histogram',
  },
  Points: { 1: 'dataPoints Point[]', 2: 'aggregationTemporality varint', 3: 'isMonotonic bool' },
  Point: { 4: 'asDouble double', 6: 'asInt fixed64', 7: 'attributes KeyValue[]' },
  Histogram: { 1: 'dataPoints HistogramPoint[]', 2: 'aggregationTemporality varint' },
  HistogramPoint: {
    4: 'count fixed64',
    5: 'sum double',
    6: 'bucketCounts packedFixed64',
    7: 'explicitBounds packedDouble',
    9: 'attributes KeyValue[]',
  },
  Resource: { 1: 'attributes KeyValue[]' },
  Scope: { 1: 'name string', 2: 'version string' },
  KeyValue: { 1: 'key string', 2: 'value Value' },
  Value: {
    1: 'stringValue string',
    2: 'boolValue bool',
    3: 'intValue varint',
    4: 'doubleValue double',
    5: 'arrayValue Values',
  },
  Values: { 1: 'values Value[]' },
}

const readers: Record<string, (value: Buffer | bigint) => unknown> = {
  string: value => bytesOf(value).toString(),
  hex: value => bytesOf(value).toString('hex'),
  double: value => bytesOf(value).readDoubleLE(),
  fixed64: value => String(bytesOf(value).readBigInt64LE()),
  varint: value => Number(value),
  bool: value => value !== 0n,
  packedDouble: value => eights(bytesOf(value)).map(eight => eight.readDoubleLE()),
  packedFixed64: value => eights(bytesOf(value)).map(eight => String(eight.readBigInt64LE())),
}

/** Decodes an OTLP message from Protocol Buffers into its OTLP/JSON form; fields that no test reads are omitted. */
export function decodeOtlp(message: 'Traces' | 'Metrics', bytes: Buffer): unknown {
  return decode(message, bytes)
}

function decode(message: string, bytes: Buffer): Record<string, unknown> {
  const decoded: Record<string, unknown> = {}
  for (const [number, value] of fieldsOf(bytes)) {
    const [name = '', type = ''] = messages[message]?.[number]?.split(' ') ?? []
    if (name === '') continue
    const single = type.replace('[]', '')
    const read = readers[single]?.(value) ?? decode(single, bytesOf(value))
    decoded[name] = type.endsWith('[]') ? [...((decoded[name] as unknown[] | undefined) ?? []), read] : read
  }
  return decoded
}

const [varintWire, fixed64Wire, lengthWire] = [0, 1, 2]

function* fieldsOf(bytes: Buffer): Generator<[number, Buffer | bigint]> {
  for (let at = 0; at < bytes.length;) {
    const [tag, afterTag] = varintAt(bytes, at)
    const wire = Number(tag & 7n)
    const [value, afterValue] = wire === lengthWire || wire === varintWire ? varintAt(bytes, afterTag) : [0n, afterTag]
    const length = wire === lengthWire ? Number(value) : wire === varintWire ? 0 : wire === fixed64Wire ? 8 : 4
    yield [Number(tag >> 3n), wire === varintWire ? value : bytes.subarray(afterValue, afterValue + length)]
    at = afterValue + length
  }
}

function varintAt(bytes: Buffer, start: number): [value: bigint, after: number] {
  let value = 0n
  for (let at = start; ; at++) {
    const byte = bytes.readUInt8(at)
    value |= BigInt(byte & 127) << BigInt(7 * (at - start))
    if (byte < 128) return [value, at + 1]
  }
}

function bytesOf(value: Buffer | bigint): Buffer {
  if (typeof value === 'bigint') throw new Error('A number where OTLP has bytes')
  return value
}

function eights(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length / 8 }, (_, index) => bytes.subarray(index * 8, index * 8 + 8))
}
