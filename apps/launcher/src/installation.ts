import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Database } from '@recto/backup'
import { databaseUrl } from '@recto/embedded'
import { Failure } from '@recto/operation'
import { databaseVariable, type Config } from './config.ts'
import { acquireInstance, type Instance } from './instance.ts'
import { databaseOf, withManagedDatabase } from './plan.ts'
import type { ProcessRow } from './processes.ts'
import { loadSecrets, type Secrets, secretsFile } from './secrets.ts'
import { startDatabases } from './servers.ts'
import type { Supervised } from './supervised.ts'

/** The parts of an installation that commands reach, whether its processes run or not. */
export interface Installation {
  databases: Database[]
  /** The blob store, `file:` or `s3:`; undefined when no setting names it. */
  blobUrl: string | undefined
  /** Secrets of the data folder; an installation that is configured by URLs keeps its own elsewhere. */
  secrets: Secrets | undefined
  /** Ends what was started for the command. */
  close(): Promise<void>
}

/** Where the installation is. */
export interface InstallationOptions {
  config: Config
  table: ProcessRow[]
  print(line: string): void
  /** The command makes the installation: a data folder may be missing, and its processes must not run (`conflict`). */
  isNew?: boolean
}

/** The tools of commands. */
export interface CommandTools extends InstallationOptions {
  /** The folder with `<name>/main.js` of each process. */
  appsFolder: string
}

/**
 * Opens the installation of the settings: with a URL for each database it is the one of these URLs, else that of the data folder, whose
 * PostgreSQL is started where the installation does not run. Throws `not_found` for a data folder without one.
 */
async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { config, table } = options
  const managed = withManagedDatabase(table, config)
  if (managed.length === 0) {
    const databases = databasesOf(table, config.databaseUrls)
    return { databases, blobUrl: config.blobUrl, secrets: undefined, close: async () => {} }
  }
  const blobUrl = config.blobUrl ?? pathToFileURL(join(config.dataDir, 'blobs')).href
  if (!options.isNew && !existsSync(secretsFile(config.dataDir)))
    throw new Failure('not_found', `There is no installation in ${config.dataDir}: set DATA_DIR.`)
  const running = await acquireInstance(config.dataDir, 'a command').catch(whenRunning(options))
  const secrets = await loadSecrets(
    config.dataDir,
    table.map(({ name }) => name),
  )
  if (running === undefined)
    return { databases: await runningDatabases(options, secrets), blobUrl, secrets, close: async () => {} }
  return { ...(await startDatabaseServers(options, { secrets, instance: running })), blobUrl, secrets }
}

/** Opens the installation for some work. */
export async function withInstallation(
  options: InstallationOptions,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const installation = await openInstallation(options)
  try {
    await work(installation)
  } finally {
    await installation.close()
  }
}

function whenRunning({ isNew = false }: InstallationOptions): (error: unknown) => undefined {
  return error => {
    if (!isNew && error instanceof Failure && error.code === 'conflict') return undefined
    throw error
  }
}

/** The databases of the PostgreSQL that the running launcher started: its pid file says where it listens. */
async function runningDatabases({ config, table }: InstallationOptions, secrets: Secrets): Promise<Database[]> {
  const file = join(config.dataDir, 'postgres/cluster/postmaster.pid')
  const port = (await readFile(file, 'utf8').catch(() => '')).split('\n')[3]
  if (!port)
    throw new Failure('unavailable', `PostgreSQL does not run in ${config.dataDir}: wait until Recto is ready.`)
  const server = `postgres://127.0.0.1:${port}`
  const urls = withManagedDatabase(table, config).map(({ name }) => [
    databaseVariable(name),
    databaseUrl(server, databaseOf(name, secrets)),
  ])
  return databasesOf(table, { ...config.databaseUrls, ...Object.fromEntries(urls) })
}

/** Starts the database servers; `close` stops them and releases the instance. */
async function startDatabaseServers(
  options: InstallationOptions,
  { secrets, instance }: { secrets: Secrets; instance: Instance },
): Promise<Pick<Installation, 'databases' | 'close'>> {
  const servers: Supervised[] = []
  const close = async () => {
    for (const server of servers) await server.stop()
    await instance.release()
  }
  try {
    const register = (server: Supervised) => void servers.push(server)
    const urls = await startDatabases({ ...options, secrets, cacheDir: '', register })
    return { databases: databasesOf(options.table, urls), close }
  } catch (error) {
    await close()
    throw error
  }
}

function databasesOf(table: ProcessRow[], urls: Record<string, string>): Database[] {
  return table
    .filter(({ hasDatabase }) => hasDatabase)
    .map(({ name }) => ({ name, url: urls[databaseVariable(name)] ?? '' }))
}
