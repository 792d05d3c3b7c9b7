import type { Listening } from '@recto/database'
import type { Log } from '@recto/telemetry'
import { pauseBeforeDue } from './scheduler.rules.ts'

/** Work that a service does again and again beside answering requests. */
export interface PeriodicWork {
  /** The name of the work in the log. */
  name: string
  /** Milliseconds between the end of a run and the start of the next; at least so many for work on rows that are due at a time. */
  every: number
  /** The rows, for work that has nothing to do before one of them is due. */
  rows?: DueRows
  /** One run; it should end early when the signal is aborted. A number it resolves to replaces the pause after it, in milliseconds. */
  run(signal: AbortSignal): Promise<number | void>
}

/** Rows that are due at a time. */
export interface DueRows {
  /** Milliseconds until the next one is due, negative when one is overdue, infinite when none ever is. */
  untilDue(): Promise<number>
  /** Tables with the trigger of `wakeTrigger`, which notifies when a row may be due earlier than any before. */
  tables: string[]
  /** Maximum milliseconds between two runs: what wakes the work may be lost, and then it is late by so much at most. 30,000 unless given. */
  maxPause?: number
}

/**
 * Runs each piece of work at once and then periodically, until stopped; a run that fails is logged, and the next comes as usual. Work on
 * rows sleeps while none is due, until the database notifies of one; without `listening` it looks at them as often as it may. `stop` aborts
 * the signal and waits for the runs in progress.
 */
export function startScheduler(
  works: PeriodicWork[],
  log: Pick<Log, 'warn'>,
  listening?: Listening,
): { stop(): Promise<void> } {
  const running = works.map(work => startPeriodic(work, log, listening))
  listening?.on('work', table => {
    for (const { wake, tables } of running) if (table === undefined || tables.includes(table)) wake()
  })
  return { stop: async () => void (await Promise.all(running.map(({ stop }) => stop()))) }
}

interface Running {
  tables: string[]
  wake(): void
  stop(): Promise<void>
}

function startPeriodic(work: PeriodicWork, log: Pick<Log, 'warn'>, listening: Listening | undefined): Running {
  const { name, every, rows } = work
  const stopping = new AbortController()
  const state = {
    timer: undefined as NodeJS.Timeout | undefined,
    current: Promise.resolve(),
    endedAt: 0,
    isWoken: false,
  }
  const sleep = (milliseconds: number): void => {
    clearTimeout(state.timer)
    if (!stopping.signal.aborted) state.timer = setTimeout(start, milliseconds)
  }
  const runOnce = async (): Promise<void> => {
    state.isWoken = false
    const pause = await runAndLook(work, stopping.signal, listening).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error, work: name }, 'periodic work failed and will be retried')
      return every
    })
    state.endedAt = performance.now()
    sleep(state.isWoken ? Math.min(pause, every) : pause)
  }
  const start = (): void => {
    state.timer = undefined
    state.current = runOnce()
  }
  start()
  return {
    tables: rows?.tables ?? [],
    wake: () => {
      if (!rows) return
      state.isWoken = true
      if (state.timer !== undefined) sleep(Math.max(0, state.endedAt + every - performance.now()))
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(state.timer)
      await state.current
    },
  }
}

/** Runs work once; resolves to the milliseconds until its next run. */
async function runAndLook(
  { every, rows, run }: PeriodicWork,
  signal: AbortSignal,
  listening: Listening | undefined,
): Promise<number> {
  const next = await run(signal)
  if (next !== undefined) return next
  if (!rows || !listening?.isUp() || signal.aborted) return every
  return pauseBeforeDue({ every, untilDue: await rows.untilDue(), maxPause: rows.maxPause })
}
