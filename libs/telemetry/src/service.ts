import type { HealthHandler, Readiness } from './health.ts'
import { checkReadiness, healthRoutes } from './health.ts'
import { serveHealth } from './health-server.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { onProcessEnd } from './process-signals.ts'
import type { Stoppable } from './sdk.ts'

const STOP_LIMIT_MS = 25_000
const FLUSH_LIMIT_MS = 1_000

/** A started service: `stop` drains and closes its resources, `ready` resolves to true or to the reason why not. */
export interface Service extends Stoppable {
  ready: Readiness
  /** Called when the process stops being ready, before the grace in which it still answers: clients can be told to go elsewhere. */
  leave?(): void
}

/** Passed to `start`: the readiness of the process, and its health routes for a service with an HTTP server. */
export interface ProcessHealth {
  ready: Readiness
  health: HealthHandler
}

/** How to run a process. Times are in milliseconds; without `healthPort` there is no health server. */
export interface ServiceOptions {
  name: string
  log: Log
  metrics: Metrics
  start(process: ProcessHealth): Promise<Service>
  /** Runs before `start`, with the health routes up; `name` is the reason that `/readyz` reports meanwhile. */
  prepare?: { name: string; run(): Promise<void> }
  healthPort?: number | undefined
  healthHost?: string | undefined
  /** How long the process is not ready before it drains, so that load balancers notice. */
  graceMs?: number | undefined
  stopLimitMs?: number | undefined
  /** Stopped after the service, so that its last spans are sent. */
  telemetry?: Stoppable
}

/** Runs a service as this process until a signal, the death of the parent process or an unhandled error; then stops it in order. */
export async function runService(options: ServiceOptions): Promise<Service> {
  const life = new ProcessLifecycle(options)
  await life.start()
  return { ready: () => life.ready(), stop: () => life.stop('asked to stop') }
}

class ProcessLifecycle {
  readonly #options: ServiceOptions
  #phase = 'starting'
  /** The running preparation. */
  #preparing: string | undefined
  #starting: Promise<Service | undefined> = Promise.resolve(undefined)
  #closeHealth: () => Promise<void> = async () => {}
  #stopped: Promise<void> | undefined

  constructor(options: ServiceOptions) {
    this.#options = options
    options.metrics.registerReadiness(async () => (await this.ready()) === true)
  }

  async start(): Promise<void> {
    onProcessEnd({ stop: reason => void this.stop(reason), fail: (error, origin) => void this.#fail(error, origin) })
    this.#starting = this.#begin()
    try {
      await this.#starting
    } catch (error) {
      await this.#fail(error, 'start')
      return
    }
    if (this.#phase === 'starting') this.#phase = 'running'
    this.#options.log.info('started')
  }

  async #begin(): Promise<Service> {
    const { log, metrics, healthPort, healthHost } = this.#options
    const ready = () => this.ready()
    const health = healthRoutes({ ready, metrics })
    if (healthPort !== undefined)
      this.#closeHealth = await serveHealth({ health, port: healthPort, host: healthHost, log })
    await this.#prepare()
    return this.#options.start({ ready, health })
  }

  async #prepare(): Promise<void> {
    const { prepare } = this.#options
    if (prepare === undefined) return
    this.#preparing = prepare.name
    await prepare.run()
    this.#preparing = undefined
  }

  async ready(): Promise<true | string> {
    if (this.#phase === 'starting') return this.#preparing ?? this.#phase
    if (this.#phase !== 'running') return this.#phase
    const service = await this.#starting
    return service === undefined ? this.#phase : checkReadiness(() => service.ready())
  }

  stop(reason: string): Promise<void> {
    this.#stopped ??= this.#stopInOrder(reason)
    return this.#stopped
  }

  async #fail(error: unknown, origin: string): Promise<void> {
    process.exitCode = 1
    this.#options.log.fatal({ err: error, origin }, 'unhandled error')
    await this.stop(origin)
  }

  async #stopInOrder(reason: string): Promise<void> {
    const { log, graceMs = 0, stopLimitMs = STOP_LIMIT_MS, telemetry } = this.#options
    this.#phase = 'stopping'
    log.info({ reason }, 'stopping')
    // Not cleared: it also ends a process whose service stopped but left handles open. Unreferenced, so it keeps nothing alive.
    setTimeout(() => void this.#endByForce(), stopLimitMs).unref()
    void this.#starting.then(
      service => service?.leave?.(),
      () => undefined,
    )
    if (graceMs > 0) await new Promise(resolve => setTimeout(resolve, graceMs))
    await this.#step('stopping the service', async () => (await this.#starting.catch(() => undefined))?.stop())
    await this.#step('stopping telemetry', async () => telemetry?.stop())
    await this.#step('closing the health server', this.#closeHealth)
    this.#phase = 'stopped'
    log.info('stopped')
    await this.#flushLog()
  }

  /**
   * Writes what the log has buffered while there is an event loop: at exit pino writes in a loop, which never ends when nobody reads the
   * output any more, as after a kill of the launcher.
   */
  async #flushLog(): Promise<void> {
    await Promise.race([
      new Promise<void>(resolve => this.#options.log.flush(() => resolve())),
      new Promise(resolve => setTimeout(resolve, FLUSH_LIMIT_MS).unref()),
    ])
  }

  async #step(phase: string, work: () => Promise<void>): Promise<void> {
    this.#phase = phase
    try {
      await work()
    } catch (error) {
      process.exitCode = 1
      this.#options.log.error({ err: error }, `failed: ${phase}`)
    }
  }

  async #endByForce(): Promise<void> {
    const { log } = this.#options
    process.exitCode = 1
    log.fatal({ phase: this.#phase, open: process.getActiveResourcesInfo() }, 'stop takes too long: ending by force')
    await this.#flushLog()
    process.kill(process.pid, 'SIGKILL')
    // The first process of a container is not killed by a signal of its own, and is here still: this is the one place that exits.
    // eslint-disable-next-line no-restricted-syntax
    process.exit(1)
  }
}
