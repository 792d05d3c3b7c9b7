import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds between looks at whether a process is idle. */
const usualInterval = 60_000
/** Part of the time in which an idle process runs code. */
const idleShare = 0.05

/**
 * Collects garbage once, in the first minute in which a process has little to do. V8 collects when code allocates, so that an idle process
 * would keep what only its start needed, about a third of its memory. The pause is some 50 ms long.
 */
export function releaseStartupMemory({ interval = usualInterval, collect = collectGarbage } = {}): void {
  let before = performance.eventLoopUtilization()
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > idleShare) return
    clearInterval(looking)
    collect()
  }, interval)
  looking.unref()
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  // With the flags of the start, threads take V8's code cache (decision 0098).
  setFlagsFromString('--no-expose-gc')
  gc()
}
