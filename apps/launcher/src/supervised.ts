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
  /** Where to read why it ended. */
  logPath: string
  start(): Promise<Running>
  say(line: string): void
  /** Called for each process that was started. */
  note?(name: string, pid: number): Promise<void>
  /** Milliseconds before the first restart; doubled with each failure up to `longest`. */
  pause?: number
}

const longest = 10_000
/** Who has run so long is not failing again and again. */
const steady = 30_000

/** A process that is started again when it ends, until it is stopped. */
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

  /** Starts it; throws what starting throws. */
  async start(): Promise<Running> {
    const { name, note } = this.#options
    const running = await this.#options.start()
    this.#current = running
    await note?.(name, running.pid)
    return running
  }

  /** From now on it is started again when it ends. */
  watch(): void {
    this.#watching = this.#watch()
  }

  async #watch(): Promise<void> {
    const { pause = 250, say, logPath } = this.#options
    const { signal } = this.#stopping
    for (let wait = pause; !signal.aborted && this.#current !== undefined;) {
      const began = Date.now()
      const { code, signal: killedBy } = await this.#current.exited
      if (signal.aborted) return
      if (Date.now() - began > steady) wait = pause
      say(`${this.name} ended (${killedBy ?? `exit code ${code}`}), starting it again; see ${logPath}`)
      await sleep(wait, undefined, { signal }).catch(() => {})
      wait = Math.min(wait * 2, longest)
      if (!signal.aborted)
        await this.start().catch((error: Error) => say(`${this.name} does not start: ${error.message}`))
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#current?.stop()
    await this.#watching
    // It may have been started again while it was stopped.
    await this.#current?.stop()
  }
}
