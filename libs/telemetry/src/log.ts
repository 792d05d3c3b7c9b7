import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { currentContext, currentTraceId } from './context.ts'
import { redactFields, redactLine } from './redact.ts'

/** A structured log: one JSON line per record, on standard output unless told otherwise. */
export type Log = Logger

/** `destination` is for tests and tools; without it lines are written asynchronously to standard output and flushed at exit. */
export interface LogOptions {
  service: string
  level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  destination?: DestinationStream
}

/** A log whose lines carry the service and, inside a request, `requestId`, `operationId` and `traceId`; secrets are replaced. */
export function createLog(options: LogOptions): Log {
  const settings = {
    level: options.level ?? 'info',
    base: { service: options.service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: requestFields,
    formatters: { level: (level: string) => ({ level }), log: redactFields, bindings: redactFields },
    hooks: { streamWrite: redactLine },
  }
  return pino(settings, options.destination ?? pino.destination({ dest: 1, sync: false }))
}

function requestFields(): Record<string, unknown> {
  const { requestId, operationId } = currentContext() ?? {}
  return { requestId, operationId, traceId: currentTraceId() }
}
