import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitForOutput, run } from './children.ts'
import type { Cleanup } from './cleanup.ts'
import { config } from './config.ts'

/** The repository's root; the bundle of this file is dist/bench/main.js. */
export const root = join(import.meta.dirname, '../..')

/** The product as `npm start` runs it. */
export interface Stack {
  url: string
  /** Where the reader serves sites, by their basename; undefined where it does not run. */
  readerUrl: string | undefined
  token: string
  dataDir: string
  /** Seconds from the call of `npm start` until it prints that it is ready. */
  seconds: number
  stop(): Promise<void>
}

/** Runs `npm start` on a data folder, with the default log level, and with the reader only where it is measured. */
export async function startStack(
  cleanup: Cleanup,
  dataDir: string,
  { hasReader = false }: { hasReader?: boolean } = {},
): Promise<Stack> {
  const started = performance.now()
  const env = {
    ...config.environment,
    PORT: '0',
    READER_PORT: hasReader ? '0' : 'off',
    DATA_DIR: dataDir,
    OUTGOING_ALLOW: '127.0.0.1',
    RATE_LIMIT: '1000000000',
    VISITOR_RATE_LIMIT: '1000000000',
  }
  const program = run(cleanup, ['npm', 'start'], { cwd: root, env })
  const [, url = ''] = await waitForOutput(program, /Recto is ready at (http:\/\/[^/\s]+)/)
  const [, readerUrl] = /Published sites are at (http:\/\/[^/\s]+)/.exec(program.output()) ?? []
  const seconds = (performance.now() - started) / 1000
  const token = (await readFile(join(dataDir, 'admin-token'), 'utf8')).trim()
  return { url, readerUrl, token, dataDir, seconds, stop: program.interrupt }
}

/** The process id that the launcher recorded for one of its processes. */
export async function pidOf({ dataDir }: Stack, name: string): Promise<number> {
  const { children } = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as {
    children: Record<string, { pid: number }>
  }
  const child = children[name]
  if (!child) throw new Error(`There is no process ${name}`)
  return child.pid
}

/** Ends a process and waits until the launcher has restarted it and it is idle. */
export async function restartProcess(stack: Stack, name: string): Promise<number> {
  const before = await pidOf(stack, name)
  process.kill(before, 'SIGTERM')
  while ((await pidOf(stack, name)) === before) await sleep(50)
  await sleep(3_000)
  return pidOf(stack, name)
}

/** The database URL of a service's role or of the superuser. */
export async function databaseUrl(
  { dataDir }: Stack,
  role: 'content' | 'publishing' | 'events' | 'postgres',
  database: string = role,
): Promise<string> {
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as {
    postgres: string
    passwords: Record<string, { database: string }>
  }
  const password = role === 'postgres' ? secrets.postgres : (secrets.passwords[role]?.database ?? '')
  const [, , , port] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')
  return `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
}

/** Resident memory of a process in bytes, now (`VmRSS`) or at its peak (`VmHWM`); undefined where there is no `/proc`. */
export async function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}
