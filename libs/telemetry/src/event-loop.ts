import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'
import { Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'

/** Milliseconds between two samples of the lag, for a busy and for an idle event loop. */
const busyInterval = 20
const idleInterval = 5_000
/** Utilization above which the event loop counts as busy; sampling itself takes less. */
const busyShare = 0.02

/** Effectively disables prom-client's event-loop monitor, which wakes the process a hundred times a second: it fires once in 25 days. */
export const disabledMonitorPrecision = 2 ** 31 - 1

const lagOf: Record<string, (histogram: RecordableHistogram) => number> = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  stddev: ({ stddev }) => stddev,
  p50: histogram => histogram.percentile(50),
  p90: histogram => histogram.percentile(90),
  p99: histogram => histogram.percentile(99),
}

/**
 * Registers event-loop metrics under the names of prom-client, at almost no cost for an idle process. The lag is how much
 * later than scheduled a timer fires; `min` to `p99` cover the time since the last scrape.
 */
export function eventLoopMetrics(registry: Registry): void {
  const lags = sampleLag()
  const gauge = (name: string, help: string, collect: (this: Gauge) => void | Promise<void>) => {
    registry.removeSingleMetric(name)
    return new Gauge({ name, help, registers: [registry], collect })
  }
  const gauges = Object.entries(lagOf).map(([key, read]) => {
    return {
      read,
      gauge: gauge(
        `nodejs_eventloop_lag_${key}_seconds`,
        `Lag of the event loop since the last reading, ${key}`,
        () => undefined,
      ),
    }
  })
  gauge('nodejs_eventloop_lag_seconds', 'Lag of the event loop at the reading', async function () {
    const started = performance.now()
    await new Promise(setImmediate)
    this.set((performance.now() - started) / 1000)
    if (lags.count === 0) return
    for (const { read, gauge: one } of gauges) one.set(read(lags) / 1e9)
    lags.reset()
  })
  new Counter({
    name: 'nodejs_eventloop_active_seconds_total',
    help: 'Time that the event loop was at work: its rate is the utilization',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(performance.eventLoopUtilization().active / 1000)
    },
  })
}

/** Records lags in nanoseconds, for as long as the process lives and without keeping it alive. */
function sampleLag(): RecordableHistogram {
  const histogram = createHistogram()
  let before = performance.eventLoopUtilization()
  const arm = (interval: number): void => {
    const due = performance.now() + interval
    setTimeout(() => {
      histogram.record(Math.max(1, Math.round((performance.now() - due) * 1e6)))
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      arm(utilization > busyShare ? busyInterval : idleInterval)
    }, interval).unref()
  }
  // A process that starts is at work.
  arm(busyInterval)
  return histogram
}
