import protobuf from 'protobufjs'

/**
 * The messages of OTLP 1.x that tests read, in proto3. Fields that no test reads are omitted: a decoder skips what it does not know. Types
 * and numbers are those of `opentelemetry/proto/trace/v1/trace.proto`, `metrics/v1/metrics.proto` and `common/v1/common.proto`.
 */
const schema = `
  syntax = "proto3";
  message Traces { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    fixed64 start_time_unix_nano = 7;
    fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9;
    Status status = 15;
  }
  message Status { string message = 2; int32 code = 3; }
  message Metrics { repeated ResourceMetrics resource_metrics = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; }
  message Metric {
    string name = 1;
    string description = 2;
    string unit = 3;
    oneof data { Points gauge = 5; Points sum = 7; Histogram histogram = 9; }
  }
  message Points { repeated Point data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
  message Point { oneof value { double as_double = 4; sfixed64 as_int = 6; } repeated KeyValue attributes = 7; }
  message Histogram { repeated HistogramPoint data_points = 1; int32 aggregation_temporality = 2; }
  message HistogramPoint {
    fixed64 count = 4;
    optional double sum = 5;
    repeated fixed64 bucket_counts = 6;
    repeated double explicit_bounds = 7;
    repeated KeyValue attributes = 9;
  }
  message Resource { repeated KeyValue attributes = 1; }
  message Scope { string name = 1; string version = 2; }
  message KeyValue { string key = 1; Value value = 2; }
  message Value {
    oneof value {
      string string_value = 1;
      bool bool_value = 2;
      int64 int_value = 3;
      double double_value = 4;
      Values array_value = 5;
    }
  }
  message Values { repeated Value values = 1; }
`

const { root } = protobuf.parse(schema)

/** Decodes an OTLP message from Protocol Buffers into its OTLP/JSON form; fields that no test reads are omitted. */
export function decodeOtlp(message: 'Traces' | 'Metrics', bytes: Buffer): unknown {
  const type = root.lookupType(message)
  return withHexIds(type.toObject(type.decode(bytes), { longs: String, bytes: Buffer }))
}

/** OTLP/JSON has the ids of traces and spans, which alone are bytes, in hexadecimal. */
function withHexIds(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('hex')
  if (Array.isArray(value)) return value.map(withHexIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withHexIds(field)]))
}
