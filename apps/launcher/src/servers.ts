import { join } from 'node:path'
import { findNatsServer, freePort, prepareDatabases, startNats, startPostgres, type NatsUser } from '@recto/embedded'
import { databaseVariable, type Config } from './config.ts'
import { openLog, serverErrorLine, type ProcessLog } from './logs.ts'
import { databaseOf, withManagedDatabase } from './plan.ts'
import type { ProcessRow } from './processes.ts'
import type { Secrets } from './secrets.ts'
import { Supervised } from './supervised.ts'

/** Largest NATS message in bytes: above the highest `BODY_LIMIT` of the gateway. */
export const maxPayload = 8 * 1024 * 1024

/** Options of starting the servers. */
export interface ServerOptions {
  config: Config
  secrets: Secrets
  table: ProcessRow[]
  /** Folder for downloads, shared by all data folders of a checkout. */
  cacheDir: string
  print(line: string): void
  /** Registers a server to be stopped later, even when starting fails. */
  register(server: Supervised): void
}

/** Starts PostgreSQL unless all databases are configured by URL; returns all database URLs by variable. */
export async function startDatabases({
  config,
  secrets,
  table,
  print,
  register,
}: ServerOptions): Promise<Record<string, string>> {
  const managed = withManagedDatabase(table, config)
  if (managed.length === 0) return config.databaseUrls
  print('Starting PostgreSQL')
  const port = await freePort()
  const log = openLog(config.dataDir, 'postgres')
  let adminUrl = ''
  const start = async () => {
    const postgres = await startPostgres({
      dataDir: join(config.dataDir, 'postgres'),
      password: secrets.postgres,
      port,
      log: logLines('PostgreSQL', log, print),
    })
    adminUrl = postgres.url
    return postgres
  }
  const server = new Supervised({ name: 'PostgreSQL', logPath: log.path, start, print })
  register(server)
  await server.start()
  const databases = managed.map(({ name }) => databaseOf(name, secrets))
  const urls = await prepareDatabases(adminUrl, databases)
  return {
    ...config.databaseUrls,
    ...Object.fromEntries(managed.map(({ name }, at) => [databaseVariable(name), urls[at] ?? ''])),
  }
}

/** Starts a nats-server unless NATS_URL is set; returns the URL of a process, each with its own user. */
export async function startBus({
  config,
  secrets,
  table,
  cacheDir,
  print,
  register,
}: ServerOptions): Promise<(process: string) => string> {
  const { natsUrl } = config
  if (natsUrl !== undefined) return () => natsUrl
  const binary = await findNatsServer({
    cacheDir,
    env: config.environment,
    log: line => print(`Starting nats-server (${line})`),
  })
  print('Starting nats-server')
  const port = await freePort()
  const log = openLog(config.dataDir, 'nats')
  const users = table.flatMap(({ name, subjects }): NatsUser[] =>
    subjects ? [{ name, password: secrets.passwords[name]?.nats ?? '', ...subjects }] : [],
  )
  const storeDir = join(config.dataDir, 'nats')
  const start = () => startNats({ binary, storeDir, port, users, maxPayload, log: logLines('nats-server', log, print) })
  const server = new Supervised({ name: 'nats-server', logPath: log.path, start, print })
  register(server)
  await server.start()
  return name => `nats://${name}:${secrets.passwords[name]?.nats}@127.0.0.1:${port}`
}

function logLines(name: string, log: ProcessLog, print: (line: string) => void): (line: string) => void {
  return line => {
    log.write(`${line}\n`)
    const warning = serverErrorLine(line)
    if (warning !== undefined) print(`${name}: ${warning}`)
  }
}
