import { PerformanceObserver, constants, type PerformanceEntry } from 'node:perf_hooks'
import type { BatchObservableResult, Meter, Observable } from '@opentelemetry/api'
import { Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { durationBuckets, type Metrics } from './metrics.ts'

const gcBuckets = [0.001, 0.01, 0.1, 1, 2, 5]
const gcKinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
])

type GcEntry = PerformanceEntry & { detail: { kind: number } }

/**
 * Exports the metrics of `/metrics` through an OpenTelemetry meter, under the same names. Counters and gauges are read from
 * the registry when the SDK collects; the two histograms keep no single values, so these are recorded in both.
 */
export function mirrorMetrics({ registry, operations }: Metrics, meter: Meter): { stop(): void } {
  const observables = new Map(
    registry.getMetricsAsArray().flatMap(({ name, help }) => observableOf({ registry, meter, name, help })),
  )
  meter.addBatchObservableCallback(result => observeAll(registry, observables, result), [...observables.values()])
  const seconds = (name: string, buckets: number[]) =>
    meter.createHistogram(name, {
      unit: 's',
      description: helpOf(registry, name),
      advice: { explicitBucketBoundaries: buckets },
    })
  const durations = seconds('operation_duration_seconds', durationBuckets)
  operations.mirrorDurations((operation, value) => durations.record(value, { operation }))
  const pauses = seconds('nodejs_gc_duration_seconds', gcBuckets)
  const observer = new PerformanceObserver(list => {
    for (const { detail, duration } of list.getEntries() as GcEntry[])
      pauses.record(duration / 1000, { kind: gcKinds.get(detail.kind) ?? 'other' })
  })
  observer.observe({ entryTypes: ['gc'] })
  return { stop: () => observer.disconnect() }
}

interface Source {
  registry: Registry
  meter: Meter
  name: string
  help: string
}

function observableOf({ registry, meter, name, help }: Source): [string, Observable][] {
  const metric = registry.getSingleMetric(name)
  const options = { description: help, unit: unitOf(name) }
  if (metric instanceof Counter) return [[name, meter.createObservableCounter(name, options)]]
  if (metric instanceof Gauge) return [[name, meter.createObservableGauge(name, options)]]
  return []
}

/** The unit in UCUM, as the semantic conventions name it; `1` for counts. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's'
  return name.endsWith('_bytes') ? 'By' : '1'
}

function helpOf(registry: Registry, name: string): string {
  return registry.getMetricsAsArray().find(metric => metric.name === name)?.help ?? ''
}

async function observeAll(
  registry: Registry,
  observables: Map<string, Observable>,
  result: BatchObservableResult,
): Promise<void> {
  for (const { name, values } of await registry.getMetricsAsJSON()) {
    const observable = observables.get(name)
    if (observable === undefined) continue
    // The service is an attribute of the resource.
    for (const {
      value,
      labels: { service: _service, ...attributes },
    } of values)
      result.observe(observable, value, attributes as Record<string, string>)
  }
}
