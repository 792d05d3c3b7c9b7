import { join } from 'node:path'
import { findNatsServer, freePort, prepareDatabase, startNats, startPostgres, type NatsUser } from '@recto/embedded'
import { databaseVariable, type Config } from './config.ts'
import { openLog, serverWarningOf, type ProcessLog } from './logs.ts'
import { databaseOf, withOwnDatabase } from './plan.ts'
import type { ProcessRow } from './processes.ts'
import type { Secrets } from './secrets.ts'
import { Supervised } from './supervised.ts'

/** Bytes of a message: the largest that `BODY_LIMIT` of the gateway can be raised to, and then some. */
const maxPayload = 8 * 1024 * 1024

/** What starting a server needs to know. */
export interface ServerOptions {
  config: Config
  secrets: Secrets
  table: ProcessRow[]
  /** A folder for what is fetched once per checkout. */
  cacheDir: string
  say(line: string): void
  /** Takes a server to stop it later, also when what follows fails. */
  keep(server: Supervised): void
}

/** Starts PostgreSQL when a process needs one of ours; returns all database URLs by variable. */
export async function databases({ config, secrets, table, say, keep }: ServerOptions): Promise<Record<string, string>> {
  const own = withOwnDatabase(table, config)
  if (own.length === 0) return config.databaseUrls
  say('Starting PostgreSQL')
  const port = await freePort()
  const log = openLog(config.dataDir, 'postgres')
  let adminUrl = ''
  const start = async () => {
    const postgres = await startPostgres({
      dataDir: join(config.dataDir, 'postgres'),
      password: secrets.postgres,
      port,
      log: tell('PostgreSQL', log, say),
    })
    adminUrl = postgres.url
    return postgres
  }
  const server = new Supervised({ name: 'PostgreSQL', logPath: log.path, start, say })
  keep(server)
  await server.start()
  const urls = { ...config.databaseUrls }
  for (const { name } of own) {
    const password = secrets.passwords[name]?.database ?? ''
    urls[databaseVariable(name)] = await prepareDatabase({
      adminUrl,
      database: databaseOf(name),
      role: databaseOf(name),
      password,
    })
  }
  return urls
}

/** Starts a nats-server when none elsewhere is named; returns each process's URL, with a user of its own. */
export async function bus({
  config,
  secrets,
  table,
  cacheDir,
  say,
  keep,
}: ServerOptions): Promise<(process: string) => string> {
  const { natsUrl } = config
  if (natsUrl !== undefined) return () => natsUrl
  const binary = await findNatsServer({
    cacheDir,
    env: config.environment,
    log: line => say(`Starting nats-server (${line})`),
  })
  say('Starting nats-server')
  const port = await freePort()
  const log = openLog(config.dataDir, 'nats')
  const users = table.map(({ name, subjects }): NatsUser => ({
    name,
    password: secrets.passwords[name]?.nats ?? '',
    ...subjects,
  }))
  const storeDir = join(config.dataDir, 'nats')
  const start = () => startNats({ binary, storeDir, port, users, maxPayload, log: tell('nats-server', log, say) })
  const server = new Supervised({ name: 'nats-server', logPath: log.path, start, say })
  keep(server)
  await server.start()
  return name => `nats://${name}:${secrets.passwords[name]?.nats}@127.0.0.1:${port}`
}

function tell(name: string, log: ProcessLog, say: (line: string) => void): (line: string) => void {
  return line => {
    log.write(`${line}\n`)
    const warning = serverWarningOf(line)
    if (warning !== undefined) say(`${name}: ${warning}`)
  }
}
