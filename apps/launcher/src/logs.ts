import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

const largest = 10 * 1024 * 1024
const shownLevels = new Set(['warn', 'error', 'fatal'])
/** Looked for before a line is parsed: nearly all lines are of requests that went well. */
const mayBeShown = /"level":"(?:warn|error|fatal)"/

/** The log file of one process; `lastLines` are for the message when it does not start. */
export interface ProcessLog {
  path: string
  write(line: string): void
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
  const last: string[] = []
  const write = (line: string) => {
    stream.write(`${line}\n`)
    last.push(line)
    if (last.length > 10) last.shift()
  }
  const close = async () => {
    stream.end()
    await finished(stream).catch(() => {})
  }
  return { path, write, lastLines: () => last.map(line => summaryOf(line) ?? line).join('\n'), close }
}

/** What the terminal shows of a line of a process: warnings and worse, as a sentence; a stack trace stays in the log. */
export function warningOf(line: string): { message: string; text: string } | undefined {
  if (!mayBeShown.test(line)) return undefined
  const record = recordOf(line)
  return shownLevels.has(String(record?.level)) ? { message: String(record?.msg ?? ''), text: summaryOf(line) ?? '' } : undefined
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
