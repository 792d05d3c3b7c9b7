import { mkdtemp, readdir, readFile, rename, rm, lchown, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@recto/operation'
import { freePort } from './ports.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { postgresIdentity, type AsPostgres } from './postgres-identity.ts'
import { commandLine, spawnServer, stopProcess, type Exit, type ServerProcess } from './processes.ts'

const major = '17'
const portAttempts = 5
const nonDurableSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** How to start PostgreSQL: its data folder, the superuser's password, and settings that override the defaults. */
export interface PostgresOptions {
  dataDir: string
  password: string
  /** A free port when absent. */
  port?: number | undefined
  /** False trades crash safety for speed; for tests. */
  durable?: boolean
  /** Further settings, as in postgresql.conf. */
  settings?: Record<string, string>
  log?: (line: string) => void
}

/** A running PostgreSQL, with the URL of its superuser. */
export interface Postgres {
  url: string
  port: number
  pid: number
  stop(): Promise<void>
  exited: Promise<Exit>
}

/**
 * Starts PostgreSQL on 127.0.0.1 with its data in `dataDir`, initialised at the first start, after stopping a server that a
 * killed launcher left behind. Throws `unavailable` with the server's last output when it does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const folder = resolve(options.dataDir)
  const cluster = clusterOf(folder)
  const binaries = await postgresBinaries()
  const asPostgres = await postgresIdentity(folder, binaries)
  await stopLeftoverPostgres(folder)
  if (!(await isInitialised(cluster)))
    await initialise(folder, options.password, args => asPostgres(binaries.initdb, args))
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    const server = await launch({ asPostgres, postgres: binaries.postgres, cluster, port, options })
    if (await becomesReady(server, cluster)) return postgresHandle(server, port, options.password)
    const said = server.lastLines()
    const portTaken = said.includes('could not create any TCP/IP sockets')
    if (!portTaken || options.port !== undefined || attempt === portAttempts) {
      throw new Failure('unavailable', `PostgreSQL did not start in ${folder}:\n${said}`)
    }
  }
}

/** Stops a PostgreSQL that still runs in this folder; it is identified by its command line, not by the pid file alone. */
export async function stopLeftoverPostgres(dataDir: string): Promise<void> {
  const cluster = clusterOf(resolve(dataDir))
  const { pid } = await readPidFile(cluster)
  const command = pid === undefined ? '' : await commandLine(pid)
  if (pid === undefined || command === '') return
  if (command.includes(`-D ${cluster}`)) await stopProcess(pid, { signal: 'SIGINT' })
  // Another process has the pid now (pids restart in a new container), and PostgreSQL refuses to start with its pid file present.
  else await rm(pidFileOf(cluster), { force: true })
}

function clusterOf(folder: string): string {
  return join(folder, 'cluster')
}

async function isInitialised(cluster: string): Promise<boolean> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Failure('unavailable', `The database in ${cluster} cannot be read: it belongs to another user`, {
      cause: error,
    })
  })
  if (version === undefined || version.trim() === major) return version !== undefined
  throw new Failure('unavailable', `The database in ${cluster} is of PostgreSQL ${version.trim()}, this is ${major}`)
}

/** Initialises the cluster under a temporary name and renames it, so that an interrupted start leaves no partial cluster. */
async function initialise(
  folder: string,
  password: string,
  initdb: (args: string[]) => ReturnType<AsPostgres>,
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('new-')) await rm(join(folder, name), { recursive: true, force: true })
  }
  const fresh = await mkdtemp(join(folder, 'new-'))
  const passwordFile = join(fresh, 'password')
  const made = join(fresh, 'cluster')
  const command = initdb([
    '-D',
    made,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    // Sorts by code point like C, but lower() and ILIKE handle letters outside ASCII.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ])
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (command.uid !== undefined && command.gid !== undefined) {
    for (const path of [fresh, passwordFile]) await lchown(path, command.uid, command.gid)
  }
  const server = await spawnServer(command)
  const { code } = await server.exited
  if (code !== 0) throw new Failure('unavailable', `initdb failed in ${folder}:\n${server.lastLines()}`)
  await rename(made, clusterOf(folder))
  await rm(fresh, { recursive: true, force: true })
}

interface Launch {
  asPostgres: AsPostgres
  postgres: string
  cluster: string
  port: number
  options: PostgresOptions
}

function launch({ asPostgres, postgres, cluster, port, options }: Launch): Promise<ServerProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Error details repeat values of rows, such as e-mail addresses.
    log_error_verbosity: 'terse',
    max_connections: '200',
    // The default of 4 is for spinning disks: with it a search of 20,000 members ignores its index.
    random_page_cost: '1.1',
    ...(options.durable === false && nonDurableSettings),
    ...options.settings,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawnServer(asPostgres(postgres, ['-D', cluster, ...args]), options.log)
}

async function becomesReady(server: ServerProcess, cluster: string): Promise<boolean> {
  while (!server.hasExited()) {
    const { pid, status } = await readPidFile(cluster)
    if (pid === server.pid && status === 'ready') return true
    await sleep(10)
  }
  await server.exited
  return false
}

function pidFileOf(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

async function readPidFile(cluster: string): Promise<{ pid?: number; status?: string }> {
  const content = await readFile(pidFileOf(cluster), 'utf8').catch(() => '')
  const lines = content.split('\n')
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 1 ? { pid, status: (lines[7] ?? '').trim() } : {}
}

function postgresHandle({ pid, exited, hasExited }: ServerProcess, port: number, password: string): Postgres {
  const url = `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  const stop = async () => {
    if (!hasExited()) await stopProcess(pid, { signal: 'SIGINT' })
    await exited
  }
  return { url, port, pid, stop, exited }
}
