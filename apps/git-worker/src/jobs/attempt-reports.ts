import type { Attempt, Attempts, Report } from '../attempts/attempts.ts'
import type { Stage } from '../imports/import-commit.ts'

/** Another worker has the lease of the operation. */
export class LeaseLost extends Error {}

/** Milliseconds during which a renewed lease needs no new renewal. */
const freshLeaseMs = 500

interface ReportOptions {
  attempts: Pick<Attempts, 'report'>
  attempt: Attempt
  /** Ends the attempt when the lease is lost, with this reason. */
  stop: AbortController
  lost: LeaseLost
}

/** Sends the reports of an attempt; each renews its lease. */
export class AttemptReports {
  readonly #options: ReportOptions
  #stage: Stage = 'repo_fetch'
  #progress = { done: 0, total: 0 }
  #reporting: Promise<void> | undefined
  #renewedAt = -Infinity

  constructor(options: ReportOptions) {
    this.#options = options
  }

  get signal(): AbortSignal {
    return this.#options.stop.signal
  }

  /** Records progress; a new stage is reported at once, other progress with the next heartbeat. Throws the signal's reason when aborted. */
  readonly progress = (stage: Stage, progress: { done: number; total: number }): void => {
    this.signal.throwIfAborted()
    const isNew = stage !== this.#stage
    this.#stage = stage
    this.#progress = progress
    if (isNew) void this.#report()
  }

  /** Reports progress; resolves to whether the lease is held. Rejects when the report cannot be recorded. */
  readonly beat = (): Promise<boolean> => this.#send()

  /** Makes sure that the lease is held, before an effect that others see. Throws when it is lost. */
  async assertLeaseHeld(): Promise<void> {
    if (performance.now() - this.#renewedAt > freshLeaseMs) await this.#report()
    this.signal.throwIfAborted()
  }

  /** Renews the lease and records the next push. Throws when it cannot be recorded, or when the lease is lost. */
  async recordPush(pushing: NonNullable<Report['pushing']>): Promise<void> {
    if (!(await this.#send(pushing))) this.#lose()
    this.signal.throwIfAborted()
  }

  /** Resolves when no report is in flight. */
  async waitUntilSent(): Promise<void> {
    await this.#reporting
  }

  /** Sends one report at a time. A failed report is ignored: the lease outlasts several heartbeats. */
  #report(): Promise<void> {
    this.#reporting ??= this.#send()
      .then(
        isHeld => void (isHeld || this.#lose()),
        () => undefined,
      )
      .finally(() => (this.#reporting = undefined))
    return this.#reporting
  }

  async #send(pushing?: Report['pushing']): Promise<boolean> {
    const { attempts, attempt } = this.#options
    const sentAt = performance.now()
    const report = { stage: this.#stage, progress: this.#progress, ...(pushing && { pushing }) }
    const isHeld = await attempts.report(attempt, report)
    if (isHeld) this.#renewedAt = sentAt
    return isHeld
  }

  #lose(): void {
    this.#options.stop.abort(this.#options.lost)
  }
}
