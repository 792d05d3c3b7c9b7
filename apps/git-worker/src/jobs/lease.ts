import type { gitCalls, GitPush } from '@recto/contracts-git-worker'
import type { Client } from '@recto/operation'
import type { z } from 'zod'
import type { Stage } from '../imports/import-commit.ts'

/** Client of the operations that content serves for git-worker. */
export type GitRpc = Client<typeof gitCalls>

/** Another worker has the lease of the operation. */
export class LeaseLost extends Error {}

/** Milliseconds for which a renewal is as good as a new one. */
const freshMs = 500

interface LeaseOptions {
  rpc: Pick<GitRpc, 'reportGitOperation'>
  operationId: string
  attempt: number
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

  /** Renews the lease a last time, before content keeps it: a hand-over whose receiver ends must not hold it. Throws when it is lost. */
  async handOver(): Promise<void> {
    await this.end()
    if (performance.now() - this.#renewed > freshMs) await this.#report()
    this.signal.throwIfAborted()
  }

  /** Renews the lease with what is pushed next. Throws when content cannot record that, or when the lease is lost. */
  async recordPush(pushing: z.input<typeof GitPush>): Promise<void> {
    const reply = await this.#ask(pushing)
    if (!reply.continue) this.#lose()
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
    const reply = await this.#ask().catch(() => undefined)
    if (reply?.continue) this.#renewed = asked
    if (reply?.continue === false) this.#lose()
  }

  #ask(pushing?: z.input<typeof GitPush>): Promise<{ continue: boolean }> {
    const { rpc, operationId, attempt } = this.#options
    const body = { operationId, attempt, stage: this.#stage, progress: this.#progress, ...(pushing && { pushing }) }
    return rpc.reportGitOperation({ body })
  }

  #lose(): void {
    this.#lost.abort(new LeaseLost('Another worker has taken the operation over'))
  }
}
