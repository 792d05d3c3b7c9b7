import { setTimeout as delay } from 'node:timers/promises'
import { ApiFailure } from '../api/api-client.ts'
import type { OutageTimes } from './outage.rules.ts'

/** Asks the API, once, whether it answers readers; rejects or resolves to false when it does not. */
export type Probe = (signal: AbortSignal) => Promise<boolean>

/** Whether the API is away, as probes see it. */
export interface Circuit {
  /** When the API was first seen to be away; undefined while it answers. */
  since(): number | undefined
  /** Sends a request. It is given up when an outage begins: at once where something else answers it, else a little later. */
  ask<Reply>(work: (signal: AbortSignal) => Promise<Reply>, options: { isKept: boolean }): Promise<Reply>
  /** A request failed: probes the API unless that is being done. */
  suspect(): void
  stop(): Promise<void>
}

interface CircuitOptions {
  probe: Probe
  times: OutageTimes
  /** Whether anything is kept: without that, an outage changes nothing. */
  hasSites(): boolean
  onChange(isOpen: boolean): void
}

/** Probes in a row that fail before an outage begins. */
const attempts = 2

/** Creates a circuit that is closed. */
export function createCircuit({ probe, times, hasSites, onChange }: CircuitOptions): Circuit {
  const stopping = new AbortController()
  const leavers = new Set<() => void>()
  let openSince: number | undefined
  let probing: Promise<void> | undefined
  let answeredAt = 0

  const answers = async (): Promise<boolean> => {
    const signal = AbortSignal.any([AbortSignal.timeout(times.probe), stopping.signal])
    return probe(signal).catch(() => false)
  }
  const untilOver = async () => {
    while (!stopping.signal.aborted) {
      await delay(times.probeEvery, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
      if (!stopping.signal.aborted && (await answers())) break
    }
    answeredAt = Date.now()
    openSince = undefined
    onChange(false)
  }
  const probeAll = async () => {
    const since = Date.now()
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (await answers()) return void (answeredAt = Date.now())
      if (stopping.signal.aborted) return
    }
    openSince = since
    onChange(true)
    for (const leave of leavers) leave()
    await untilOver()
  }
  const suspect = () => {
    if (probing || stopping.signal.aborted || !hasSites() || Date.now() - answeredAt < times.probeEvery) return
    probing = probeAll().finally(() => (probing = undefined))
  }
  return {
    since: () => openSince,
    suspect,
    async ask(work, { isKept }) {
      const gone = new AbortController()
      const timers: NodeJS.Timeout[] = []
      const abort = () => gone.abort(new Error('the API is away'))
      const leave = () => void timers.push(setTimeout(abort, isKept ? 0 : times.lastTry).unref())
      leavers.add(leave)
      timers.push(setInterval(suspect, times.patience).unref())
      if (openSince !== undefined) leave()
      try {
        return await work(gone.signal)
      } finally {
        leavers.delete(leave)
        for (const timer of timers) clearInterval(timer)
      }
    },
    async stop() {
      stopping.abort()
      await probing
    },
  }
}

/** The failure of what can neither be asked for nor is kept. */
export function apiAway(): ApiFailure {
  return new ApiFailure(503, 'The documentation cannot be read at the moment')
}
