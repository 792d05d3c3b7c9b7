import { setTimeout as sleep } from 'node:timers/promises'
import type { Exit } from '@recto/embedded'

/** A running process or server. */
export interface Running {
  pid: number
  exited: Promise<Exit>
  stop(): Promise<void>
}

interface SupervisedOptions {
  name: string
  /** The log file, named when the process ends. */
  logPath: string
  start(): Promise<Running>
  print(line: string): void
  /** Called with the process id after each start. */
  recordPid?(name: string, pid: number): Promise<void>
  /** Milliseconds before the first restart; doubled with each failure up to `maxRestartDelay`. */
  restartDelay?: number
}

const maxRestartDelay = 10_000
/** Milliseconds after which a process counts as stable and the delay is reset. */
const stableAfter = 30_000

/** Restarts a process whenever it ends, until it is stopped. */
export class Supervised {
  readonly name: string
  readonly #options: SupervisedOptions
  readonly #stopping = new AbortController()
  #current: Running | undefined
  #watching: Promise<void> = Promise.resolve()

  constructor(options: SupervisedOptions) {
    this.name = options.name
    this.#options = options
  }

  /** Starts the process; rejects when that fails. */
  async start(): Promise<Running> {
    const { name, recordPid } = this.#options
    const running = await this.#options.start()
    this.#current = running
    await recordPid?.(name, running.pid)
    return running
  }

  /** Restarts the process from now on when it ends. */
  watch(): void {
    this.#watching = this.#watch()
  }

  async #watch(): Promise<void> {
    const { restartDelay = 250, print, logPath } = this.#options
    const { signal } = this.#stopping
    for (let wait = restartDelay; !signal.aborted && this.#current !== undefined;) {
      const began = Date.now()
      const { code, signal: killedBy } = await this.#current.exited
      if (signal.aborted) return
      if (Date.now() - began > stableAfter) wait = restartDelay
      print(`${this.name} ended (${killedBy ?? `exit code ${code}`}), starting it again; see ${logPath}`)
      await sleep(wait, undefined, { signal }).catch(() => {})
      wait = Math.min(wait * 2, maxRestartDelay)
      if (!signal.aborted)
        await this.start().catch((error: Error) => print(`${this.name} does not start: ${error.message}`))
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#current?.stop()
    await this.#watching
    // A restart may have been in progress.
    await this.#current?.stop()
  }
}
