import { pino } from 'pino'
import type { Bindings, ChildLoggerOptions, DestinationStream, Logger } from 'pino'
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

/** Creates a log whose lines carry the service and, inside a request, `requestId`, `operationId` and `traceId`; secrets are replaced. */
export function createLog(options: LogOptions): Log {
  const settings = {
    level: options.level ?? 'info',
    base: { service: options.service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: requestFields,
    formatters: { level: (level: string) => ({ level }), log: redactFields },
    // Errors are already plain fields here; the serializer of pino would rename them.
    serializers: { err: (err: unknown) => err },
    hooks: { streamWrite: redactLine },
  }
  return redactChildren(pino(settings, options.destination ?? standardOutput()))
}

/** Milliseconds after which a buffered line is written. */
const flushDelay = 100
/** Bytes at which lines are written earlier, since each write wakes their reader; fewer than the 16 KiB that pino writes at once. */
const flushBytes = 12_288

/** An output that nobody reads any more. */
const closedOutput = {
  write: () => true,
  flush: (done?: (error?: Error) => void) => done?.(),
  flushSync: () => undefined,
  end: () => undefined,
}

/**
 * Buffers lines, since one write per line costs more than the line itself. With a `minLength` of 0, `flush` would call back
 * before the bytes are written; pino's periodic flush would wake an idle process.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, minLength: flushBytes })
  let timer: NodeJS.Timeout | undefined
  let isLate = false
  const flushOnce = output.flush.bind(output)
  const flush = (): void => {
    timer = undefined
    isLate = true
    flushOnce()
  }
  // A write that was in progress has left the lines that came meanwhile.
  output.on('drain', () => {
    if (!isLate) return
    isLate = false
    flushOnce()
  })
  // Whoever read the output has gone: pino ends at EPIPE only, and a socket with unread lines says ECONNRESET. Its synchronous write at exit
  // would be repeated for ever.
  output.on('error', () => Object.assign(output, closedOutput))
  const write = output.write.bind(output)
  return Object.assign(output, {
    write(line: string) {
      timer ??= setTimeout(flush, flushDelay).unref()
      return write(line)
    },
    // A write in progress calls back when it ends, and leaves the lines that came meanwhile; its error says only that no pipe can be synced.
    flush: (done?: (error?: Error) => void) => flushOnce(() => flushOnce(done)),
  })
}

/** pino does not call the bindings formatter for child logs, so `child` itself redacts; children inherit it. */
function redactChildren(log: Log): Log {
  const { child } = log
  const redacting = function (this: Log, bindings: Bindings, options?: ChildLoggerOptions) {
    return Reflect.apply(child, this, [redactFields(bindings), options]) as Log
  }
  return Object.assign(log, { child: redacting })
}

function requestFields(): Record<string, unknown> {
  const { requestId, operationId } = currentContext() ?? {}
  return { requestId, operationId, traceId: currentTraceId() }
}
