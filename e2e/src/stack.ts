import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { waitLimit, removeFolder } from '@recto/testing'
import { askForShared, cleanEnvironment } from './config.ts'
import { skipSyncs } from './databases.ts'
import { publishedClient, type PublishedClient } from './published-client.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where an installation is, and its administrator's token. */
export interface Place {
  url: string
  token: string
  dataDir: string
}

/** A running product. */
export interface Installation extends Place {
  client: PublishedClient
  /** The process id of a process, as recorded by the launcher. */
  pidOf(name: string): number
}

/** Settings of a translation engine at an address that nobody serves. */
export const absentEngine = {
  TRANSLATION_ENGINE: 'deepl',
  TRANSLATION_ENGINE_URL: 'http://127.0.0.1:9',
  TRANSLATION_RETRY_DELAY: '1',
}

/** Three times the usual time for a request, as on a busy machine, and none for the rendering of a page. */
const patience = { REQUEST_TIMEOUT: '45000', READER_RENDER_TIMEOUT: String(waitLimit) }

/** The usual time for a request, for files that kill processes often: what was under way then is answered after it. */
export const usualTime = { REQUEST_TIMEOUT: '15000' }

/** The product as `npm start` runs it. */
export interface Stack extends Installation {
  /** Its output while it started. */
  output: string
  launcher: ChildProcess
  /** Sends SIGINT; resolves to the exit code. */
  stop(): Promise<number | null>
}

/** Where a run answers with the data folder that new ones are copies of. */
export const preparedFolder = '/prepared'

/**
 * Runs `npm start` on a data folder: unless it is given, on a new one in which an installation has been started once before, because the
 * first start creates databases for seconds; `isFirstStart` does without.
 */
export async function startStack({
  dataDir,
  env = {},
  isFirstStart = Object.keys(env).some(name => name === 'ADMIN_TOKEN' || name.startsWith('DATABASE_URL_')),
}: { dataDir?: string; env?: Record<string, string>; isFirstStart?: boolean } = {}): Promise<Stack> {
  const folder = dataDir ?? (await aDataFolder(isFirstStart))
  const launcher = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: {
      ...cleanEnvironment(),
      PORT: '0',
      READER_PORT: 'off',
      DATA_DIR: folder,
      OUTGOING_ALLOW: '127.0.0.1',
      ...patience,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  for (const stream of [launcher.stdout, launcher.stderr]) stream.on('data', chunk => output.push(String(chunk)))
  const url = await readyUrl(launcher, output).catch(async (error: unknown) => {
    await stopLauncher(launcher)
    if (dataDir === undefined) await removeData(folder)
    throw error
  })
  // A copy has the setting of what it is a copy of.
  const isCopy = dataDir === undefined && !isFirstStart
  if (!isCopy && existsSync(join(folder, serverPidFiles['postgres'] ?? ''))) await skipSyncs(folder)
  const tokenFile = join(folder, 'admin-token')
  const token = env.ADMIN_TOKEN ?? readFileSync(tokenFile, 'utf8').trim()
  return {
    ...installationAt({ url, token, dataDir: folder }),
    launcher,
    output: output.join(''),
    stop: () => stopLauncher(launcher),
  }
}

async function aDataFolder(isEmpty: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-e2e-'))
  if (isEmpty) return folder
  const { dataDir } = await askForShared<{ dataDir: string }>(preparedFolder)
  // Keeps owners: PostgreSQL does not run as root.
  await promisify(execFile)('cp', ['-a', `${dataDir}/.`, folder])
  return folder
}

/** The installation at a place where one runs. */
export function installationAt(place: Place): Installation {
  const client = publishedClient(place.url, place.token)
  return { ...place, client, pidOf: name => pidIn(place.dataDir, name) }
}

/** Deletes the data folder of a stack. */
export async function removeData(dataDir: string): Promise<void> {
  await removeFolder(dataDir)
}

async function stopLauncher(launcher: ChildProcess): Promise<number | null> {
  if (launcher.exitCode === null && launcher.signalCode === null) {
    launcher.kill('SIGINT')
    await once(launcher, 'exit')
  }
  return launcher.exitCode
}

async function readyUrl(launcher: ChildProcess, output: string[]): Promise<string> {
  const until = Date.now() + waitLimit
  while (Date.now() < until) {
    const url = /Recto is ready at (http:\/\/[^/\s]+)/.exec(output.join(''))?.[1]
    if (url) return url
    if (launcher.exitCode !== null) break
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`npm start did not become ready:\n${output.join('')}`)
}

/** The servers write their own pid files; the launcher records the other processes. */
const serverPidFiles: Record<string, string> = { nats: 'nats/nats.pid', postgres: 'postgres/cluster/postmaster.pid' }

function pidIn(folder: string, name: string): number {
  const own = serverPidFiles[name]
  if (own) return Number.parseInt(readFileSync(join(folder, own), 'utf8'), 10)
  const file = join(folder, 'run.json')
  const run = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RunFile) : { children: {} }
  const child = run.children[name]
  if (!child) throw new Error(`no process ${name} in ${file}`)
  return child.pid
}

interface RunFile {
  children: Record<string, { pid: number }>
}
