import { totalmem } from 'node:os'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { eventLoopMetrics, disabledMonitorPrecision } from './event-loop.ts'
import { withTimeout } from './with-timeout.ts'

/** Upper bounds of the buckets of a duration, in seconds. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
const DEPTH_LIMIT_MS = 2_000

/** Connections of a pool at one moment. */
export interface PoolState {
  total: number
  idle: number
  waiting: number
}

/** Counts of a cache since the start, and the bytes that it holds. */
export interface CacheState {
  hits: number
  misses: number
  bytes: number
}

/** The number of entries that wait in a queue, and the seconds that the oldest has waited. */
export interface QueueState {
  depth: number
  oldest?: number
}

/** One finished run of an operation: its duration in seconds and, when it failed, the code of its error. */
export interface Observation {
  operation: string
  seconds: number
  code?: string | undefined
}

/** Counts and times operations; `mirrorDurations` sets a second recorder for durations, in seconds. */
export interface OperationMetrics {
  observe(observation: Observation): void
  mirrorDurations(record: (operation: string, seconds: number) => void): void
}

/** The metrics of one process, in the Prometheus text format. */
export interface Metrics {
  registry: Registry
  operations: OperationMetrics
  registerPool(name: string, state: () => PoolState): void
  registerCache(name: string, state: () => CacheState): void
  registerQueue(name: string, depth: () => Promise<number>): void
  /** Registers queues that are read together, by their names. */
  registerQueues(read: ReadQueues): void
  /** Registers a gauge of a service that is read at each scrape: its values by those of one label, which must be few. */
  registerGauge(gauge: { name: string; help: string; label: string }, read: () => Promise<Record<string, number>>): void
  /** Says whether the process is ready: a process that is up and cannot work shows nowhere else without requests. */
  registerReadiness(ready: () => Promise<boolean>): void
  /** Renders the text of `/metrics`, and its content type. */
  text(): Promise<{ body: string; contentType: string }>
}

/** Creates the metrics of a process, its operations, pools and queues; every sample is labelled with the service. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: disabledMonitorPrecision })
  eventLoopMetrics(registry)
  memoryLimit(registry)
  const registerQueues = queueMetrics(registry)
  return {
    registry,
    operations: operationMetrics(registry),
    registerPool: poolMetrics(registry),
    registerCache: cacheMetrics(registry),
    registerQueue: (name, depth) => registerQueues(async () => ({ [name]: { depth: await depth() } })),
    registerQueues,
    registerGauge: labelledGauge(registry),
    registerReadiness: readinessMetric(registry),
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
  }
}

function operationMetrics(registry: Registry): OperationMetrics {
  const registers = [registry]
  const count = new Counter({
    name: 'operations_total',
    help: 'Operations finished, failed ones too',
    labelNames: ['operation'],
    registers,
  })
  const errors = new Counter({
    name: 'operation_errors_total',
    help: 'Operations that failed, by the code of the error',
    labelNames: ['operation', 'code'],
    registers,
  })
  const duration = new Histogram({
    name: 'operation_duration_seconds',
    help: 'Time from the arrival of an operation to its reply',
    labelNames: ['operation'],
    buckets: durationBuckets,
    registers,
  })
  // Looking up a label set costs more than observing: both children are cached per operation.
  const operationCounters = new Map<string, { count: Counter.Internal; duration: Histogram.Internal<'operation'> }>()
  let mirror: ((operation: string, seconds: number) => void) | undefined
  return {
    mirrorDurations: record => void (mirror = record),
    observe({ operation, seconds, code }) {
      const entry = operationCounters.get(operation) ?? {
        count: count.labels(operation),
        duration: duration.labels(operation),
      }
      operationCounters.set(operation, entry)
      entry.count.inc()
      entry.duration.observe(seconds)
      mirror?.(operation, seconds)
      if (code !== undefined) errors.inc({ operation, code })
    },
  }
}

function poolMetrics(registry: Registry): Metrics['registerPool'] {
  const pools = new Map<string, () => PoolState>()
  new Gauge({
    name: 'pool_connections',
    help: 'Connections of a pool, and callers waiting for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, state] of pools) {
        for (const [name, value] of Object.entries(stateIfAvailable(state))) this.set({ pool, state: name }, value)
      }
    },
  })
  return (name, state) => void pools.set(name, state)
}

/** A closed pool throws, which must not fail the other metrics. */
function stateIfAvailable(state: () => PoolState): Partial<PoolState> {
  try {
    return state()
  } catch {
    return {}
  }
}

function readinessMetric(registry: Registry): Metrics['registerReadiness'] {
  let ready: (() => Promise<boolean>) | undefined
  new Gauge({
    name: 'process_ready',
    help: 'Whether the process is ready, as /readyz says',
    registers: [registry],
    async collect() {
      if (ready) this.set(Number(await ready()))
    },
  })
  return check => void (ready = check)
}

function cacheMetrics(registry: Registry): Metrics['registerCache'] {
  const caches = new Map<string, () => CacheState>()
  const registers = [registry]
  new Counter({
    name: 'cache_requests_total',
    help: 'What a cache was asked for, by whether it had it',
    labelNames: ['cache', 'result'],
    registers,
    collect() {
      this.reset()
      for (const [cache, state] of caches) {
        const { hits, misses } = state()
        this.inc({ cache, result: 'hit' }, hits)
        this.inc({ cache, result: 'miss' }, misses)
      }
    },
  })
  new Gauge({
    name: 'cache_bytes',
    help: 'Bytes that a cache holds',
    labelNames: ['cache'],
    registers,
    collect() {
      for (const [cache, state] of caches) this.set({ cache }, state().bytes)
    },
  })
  return (name, state) => void caches.set(name, state)
}

function labelledGauge(registry: Registry): Metrics['registerGauge'] {
  return ({ name, help, label }, read) =>
    void new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        // Values that cannot be read in time must not fail the other metrics.
        const values = await withTimeout(DEPTH_LIMIT_MS, read()).catch(() => undefined)
        this.reset()
        for (const [value, number] of Object.entries(values ?? {})) this.set({ [label]: value }, number)
      },
    })
}

type ReadQueues = () => Promise<Record<string, QueueState>>

function queueMetrics(registry: Registry): Metrics['registerQueues'] {
  const readers: ReadQueues[] = []
  let reading: Promise<[string, QueueState][]> | undefined
  // Both gauges of one scrape share a reading.
  const readOnce = () => (reading ??= readQueues(readers).finally(() => (reading = undefined)))
  const gauge = (name: string, help: string, valueOf: (state: QueueState) => number | undefined) =>
    new Gauge({
      name,
      help: `${help}; absent while it cannot be asked`,
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const states = await readOnce()
        this.reset()
        for (const [queue, state] of states) {
          const value = valueOf(state)
          if (value !== undefined) this.set({ queue }, value)
        }
      },
    })
  gauge('queue_depth', 'Messages or jobs that wait in a queue', ({ depth }) => depth)
  gauge('queue_oldest_seconds', 'Time that the oldest entry of a queue has waited', ({ oldest }) => oldest)
  return read => void readers.push(read)
}

/** Queues that cannot be read in time must not fail the other metrics. */
async function readQueues(readers: ReadQueues[]): Promise<[string, QueueState][]> {
  const read = readers.map(each => withTimeout(DEPTH_LIMIT_MS, each()).catch(() => undefined))
  return (await Promise.all(read)).flatMap(states => Object.entries(states ?? {}))
}

/** The limit of the container, or the memory of the machine: what the resident memory has to stay below. */
function memoryLimit(registry: Registry): void {
  new Gauge({
    name: 'process_memory_limit_bytes',
    help: 'Memory that the process may use',
    registers: [registry],
    collect() {
      // 0 or a huge number without a limit.
      this.set(Math.min(process.constrainedMemory() || Infinity, totalmem()))
    },
  })
}
