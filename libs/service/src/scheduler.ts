import type { Log } from '@recto/telemetry'

/** Work that a service does again and again beside answering requests. */
export interface PeriodicWork {
  /** What the log calls it, and what it says when a run fails. */
  name: string
  /** Milliseconds between the end of a run and the start of the next. */
  every: number
  /** One run; it should end early when the signal is aborted. A number it resolves to replaces `every` once, in milliseconds. */
  run(signal: AbortSignal): Promise<number | void>
}

/**
 * Runs each piece of work at once and then periodically, until stopped; a run that fails is logged, and the next comes as
 * usual. `stop` aborts the signal and waits for the runs in progress.
 */
export function startScheduler(works: PeriodicWork[], log: Pick<Log, 'warn'>): { stop(): Promise<void> } {
  const running = works.map(work => startPeriodic(work, log))
  return { stop: async () => void (await Promise.all(running.map(({ stop }) => stop()))) }
}

function startPeriodic({ name, every, run }: PeriodicWork, log: Pick<Log, 'warn'>): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const state: { timer?: NodeJS.Timeout; current: Promise<void> } = { current: Promise.resolve() }
  const runOnce = async (): Promise<void> => {
    const next = await run(stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error, work: name }, 'periodic work failed and will be retried')
    })
    if (!stopping.signal.aborted) state.timer = setTimeout(start, next ?? every)
  }
  const start = (): void => void (state.current = runOnce())
  start()
  return {
    stop: async () => {
      stopping.abort()
      clearTimeout(state.timer)
      await state.current
    },
  }
}
