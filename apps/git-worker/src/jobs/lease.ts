import type { Attempt, Attempts, Report } from '../attempts/attempts.ts'
import type { Stage } from '../imports/import-commit.ts'

/** Another worker has the lease of the operation. */
export class LeaseLost extends Error {}

/** Milliseconds for which a renewal is as good as a new one. */
const freshMs = 500

interface LeaseOptions {
  attempts: Pick<Attempts, 'report'>
  attempt: Attempt
  everyMs: number
  signal: AbortSignal
}

/** Keeps the lease of an operation by reporting progress; its signal aborts when the lease is lost or the worker stops. */
export class Lease {
  readonly #options: LeaseOptions
  readonly #lost = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly signal: AbortSignal
  #stage: Stage = 'repo_fetch'
  #progress = { done: 0, total: 0 }
  #reporting: Promise<void> | undefined
  #renewed = -Infinity

  constructor(options: LeaseOptions) {
    this.#options = options
    this.signal = AbortSignal.any([this.#lost.signal, options.signal])
    this.#timer = setInterval(() => void this.#report(), options.everyMs)
  }

  /** Records progress; a new stage is reported at once, other progress with the next heartbeat. Throws the signal's reason when aborted. */
  readonly progress = (stage: Stage, progress: { done: number; total: number }): void => {
    this.signal.throwIfAborted()
    const isNew = stage !== this.#stage
    this.#stage = stage
    this.#progress = progress
    if (isNew) void this.#report()
  }

  /** Makes sure that the lease is held before something is done that others see. Throws when it is lost. */
  async assertHeld(): Promise<void> {
    if (performance.now() - this.#renewed > freshMs) await this.#report()
    this.signal.throwIfAborted()
  }

  /** Renews the lease with what is pushed next. Throws when that cannot be recorded, or when the lease is lost. */
  async recordPush(pushing: NonNullable<Report['pushing']>): Promise<void> {
    const isHeld = await this.#ask(pushing)
    if (!isHeld) this.#lose()
    this.signal.throwIfAborted()
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#reporting
  }

  /** One report at a time. A failed report is ignored: the lease outlasts several heartbeats. */
  #report(): Promise<void> {
    this.#reporting ??= this.#send().finally(() => (this.#reporting = undefined))
    return this.#reporting
  }

  async #send(): Promise<void> {
    const asked = performance.now()
    const isHeld = await this.#ask().catch(() => undefined)
    if (isHeld) this.#renewed = asked
    if (isHeld === false) this.#lose()
  }

  #ask(pushing?: Report['pushing']): Promise<boolean> {
    const { attempts, attempt } = this.#options
    return attempts.report(attempt, { stage: this.#stage, progress: this.#progress, ...(pushing && { pushing }) })
  }

  #lose(): void {
    this.#lost.abort(new LeaseLost('Another worker has taken the operation over'))
  }
}
