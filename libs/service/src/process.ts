import { Failure } from '@recto/operation'
import {
  createLog,
  createMetrics,
  exportedSignals,
  runService,
  startTelemetry,
  type Log,
  type Metrics,
  type ProcessHealth,
  type Service,
} from '@recto/telemetry'
import type { z } from 'zod'
import type { processConfig } from './config.ts'
import { releaseStartupMemory } from './startup-memory.ts'

/** The tools that `start` receives. */
export interface ProcessTools {
  log: Log
  metrics: Metrics
  process: ProcessHealth
}

/** A process of the platform: its settings, start and commands. */
export interface ProcessOptions {
  name: string
  settings: z.output<typeof processConfig> & { SHUTDOWN_GRACE?: number; MIGRATE_AT_START?: 'true' | 'false' }
  start(tools: ProcessTools): Promise<Service>
  /**
   * Migrates the database: for the command `migrate`, whose arguments name the migrations (all unless given), and before the start with
   * `MIGRATE_AT_START=true`.
   */
  migrate?(only?: string[]): Promise<unknown>
  /** Commands by their name, the first argument of the process: run instead of the service, with the arguments after it. */
  commands?: Record<string, (args: string[]) => Promise<unknown>>
}

/** The reason that `/readyz` reports while the process migrates. */
const migratingReason = 'migrating the database'

/** Runs a process: commands, log, metrics, traces, health routes, signals and orderly stop. Call it from `main.ts`. */
export async function runProcess({ name, settings, start, migrate, commands = {} }: ProcessOptions): Promise<void> {
  const [command = '', ...args] = process.argv.slice(2)
  const run = migrate && command === 'migrate' ? migrate : Object.hasOwn(commands, command) && commands[command]
  if (run) return runCommand(() => run(args))
  const log = createLog({ service: name, level: settings.LOG_LEVEL })
  const metrics = createMetrics(name)
  const { BUILD, OTEL_LOG_LEVEL, SHUTDOWN_GRACE = 0 } = settings
  const telemetry = await startTelemetry({
    service: name,
    version: BUILD,
    signals: exportedSignals(settings),
    metrics,
    log,
    logLevel: OTEL_LOG_LEVEL,
  })
  await runService({
    name,
    log,
    metrics,
    telemetry,
    ...(migrate &&
      settings.MIGRATE_AT_START === 'true' && { prepare: { name: migratingReason, run: () => migrateFirst(migrate) } }),
    start: health => start({ log, metrics, process: health }),
    healthPort: settings.HEALTH_PORT,
    healthHost: settings.HEALTH_HOST,
    graceMs: SHUTDOWN_GRACE,
    stopLimitMs: SHUTDOWN_GRACE + settings.SHUTDOWN_TIMEOUT,
  })
  releaseStartupMemory()
}

/** A failure is what the operator has to know; any other error is shown whole. */
async function runCommand(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

async function migrateFirst(migrate: () => Promise<unknown>): Promise<void> {
  try {
    await migrate()
  } catch (cause) {
    const { message: outer, cause: inner } = cause as Error
    const reason = inner instanceof Error ? `${outer}: ${inner.message}` : outer
    throw new Failure('unavailable', `The database cannot be migrated: ${reason}`, { cause })
  }
}
