import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

const maxLogSize = 10 * 1024 * 1024
const printedLevels = new Set(['warn', 'error', 'fatal'])
/** Tested before a line is parsed, since nearly all lines log successful requests. */
const mayBePrinted = /"level":"(?:warn|error|fatal)"/

/** Characters of the end of a log kept in memory, and lines of it printed when a process does not start. */
const tailLength = 16_384
const tailLines = 10

/** A warning of a process for the terminal; warnings with the same `message` are repetitions. */
export interface Warning {
  message: string
  text: string
}

/** The log file of one process; `lastLines` are printed when it does not start. */
export interface ProcessLog {
  path: string
  /** Writes complete lines, each with its line break. */
  write(lines: string): void
  lastLines(): string
  close(): Promise<void>
}

/** Opens the log of a process; one larger than 10 MiB is rotated to `.1` first. */
export function openLog(dataDir: string, name: string): ProcessLog {
  const folder = join(dataDir, 'logs')
  const path = join(folder, `${name}.log`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxLogSize) renameSync(path, `${path}.1`)
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 })
  // A full disk must not end the processes.
  stream.on('error', () => {})
  let last = ''
  const write = (lines: string) => {
    stream.write(lines)
    last = lines.length >= tailLength ? lines.slice(-tailLength) : (last + lines).slice(-tailLength)
  }
  const close = async () => {
    stream.end()
    await finished(stream).catch(() => {})
  }
  return {
    path,
    write,
    lastLines: () =>
      last
        .trimEnd()
        .split('\n')
        .slice(-tailLines)
        .map(line => summaryOf(line) ?? line)
        .join('\n'),
    close,
  }
}

/** Passes the output of a stream on as complete lines, many at a time, since each request logs one. */
export function readLines(stream: Readable, onLines: (lines: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const text = rest + chunk
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (end > 0) onLines(text.slice(0, end))
  })
  stream.once('end', () => {
    if (rest !== '') onLines(`${rest}\n`)
  })
}

/** The warnings and errors among the log lines of a process. */
export function warningsOf(lines: string): Warning[] {
  return mayBePrinted.test(lines) ? lines.split('\n').flatMap(line => warningOf(line) ?? []) : []
}

/** A warning or error as one sentence, without its stack trace. */
function warningOf(line: string): Warning | undefined {
  const record = recordOf(line)
  return printedLevels.has(String(record?.level))
    ? { message: String(record?.msg ?? ''), text: summaryOf(line) ?? '' }
    : undefined
}

/** The log line of PostgreSQL or nats-server if it reports an error that the terminal shows, else undefined. */
export function serverErrorLine(line: string): string | undefined {
  return /^\S+ \S+ UTC \[\d+\] PANIC:|\[(ERR|FTL)\]/.test(line) ? line : undefined
}

function summaryOf(line: string): string | undefined {
  const record = recordOf(line)
  if (record === undefined) return undefined
  const { msg, err } = record
  const reason = typeof err === 'object' && err !== null && 'message' in err ? `: ${String(err.message)}` : ''
  return `${String(msg ?? '')}${reason}`
}

function recordOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
