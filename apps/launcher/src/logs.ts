import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

const largest = 10 * 1024 * 1024
const shownLevels = new Set(['warn', 'error', 'fatal'])
/** Looked for before a line is parsed: nearly all lines are of requests that went well. */
const mayBeShown = /"level":"(?:warn|error|fatal)"/

/** Characters of the end of a log that are kept in memory, and lines of it that are shown when a process does not start. */
const [longestTail, shownAtLast] = [16_384, 10]

/** What is shown of a process on the terminal; `message` tells what is the same warning again. */
export interface Warning {
  message: string
  text: string
}

/** The log file of one process; `lastLines` are for the message when it does not start. */
export interface ProcessLog {
  path: string
  /** Takes whole lines, each with its end. */
  write(lines: string): void
  lastLines(): string
  close(): Promise<void>
}

/** Opens the log of a process; one that has grown large is put aside, replacing what was put aside before. */
export function openLog(dataDir: string, name: string): ProcessLog {
  const folder = join(dataDir, 'logs')
  const path = join(folder, `${name}.log`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largest) renameSync(path, `${path}.1`)
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 })
  // A full disk must not end what runs.
  stream.on('error', () => {})
  let last = ''
  const write = (lines: string) => {
    stream.write(lines)
    last = lines.length >= longestTail ? lines.slice(-longestTail) : (last + lines).slice(-longestTail)
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
        .slice(-shownAtLast)
        .map(line => summaryOf(line) ?? line)
        .join('\n'),
    close,
  }
}

/** Hands on what a stream says as whole lines, many at a time: each request writes one, and what reads them should cost little. */
export function readLines(stream: Readable, take: (lines: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const text = rest + chunk
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (end > 0) take(text.slice(0, end))
  })
  stream.once('end', () => {
    if (rest !== '') take(`${rest}\n`)
  })
}

/** What the terminal shows of the lines of a process. */
export function warningsOf(lines: string): Warning[] {
  return mayBeShown.test(lines) ? lines.split('\n').flatMap(line => warningOf(line) ?? []) : []
}

/** Warnings and worse, as a sentence; a stack trace stays in the log. */
function warningOf(line: string): Warning | undefined {
  const record = recordOf(line)
  return shownLevels.has(String(record?.level))
    ? { message: String(record?.msg ?? ''), text: summaryOf(line) ?? '' }
    : undefined
}

/** What the terminal shows of a line of PostgreSQL or nats-server. */
export function serverWarningOf(line: string): string | undefined {
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
