import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { prepareDatabases, startPostgres, type DatabaseOptions, type Postgres } from '@recto/embedded'
import { Client } from 'pg'
import { rowsOf } from './database.ts'
import { eventually } from './eventually.ts'
import { provided } from './provided.ts'
import { removeFolder } from './remove-folder.ts'
import { TcpLink } from './tcp-link.ts'

const run = promisify(execFile)
/** Tests kill processes, never the machine: what the operating system has is on both servers. */
const settings = { fsync: 'off', wal_level: 'replica', max_wal_senders: '4', wal_keep_size: '512MB' }
const standbyName = 'standby'

interface Server {
  dataDir: string
  postgres: Postgres
}

/** A primary of PostgreSQL and its standby, which has each commit before the commit is acknowledged, behind one address. */
export class ReplicatedPostgres {
  readonly #password: string
  readonly #link: TcpLink
  #primary: Server
  #standby: Server | undefined

  private constructor(primary: Server, parts: { password: string; link: TcpLink }) {
    this.#primary = primary
    this.#password = parts.password
    this.#link = parts.link
  }

  static async start(): Promise<ReplicatedPostgres> {
    const password = randomBytes(16).toString('hex')
    const dataDir = await aFolder()
    const postgres = await startPostgres({ dataDir, password, settings })
    const link = await TcpLink.to(postgres.port)
    const replicated = new ReplicatedPostgres({ dataDir, postgres }, { password, link })
    await replicated.addStandby()
    return replicated
  }

  /** The superuser's URL of a database, at the address that stays. */
  url(database = 'postgres'): string {
    const url = new URL(this.#primary.postgres.url)
    url.port = String(this.#link.port)
    url.pathname = `/${database}`
    return url.href
  }

  /** Creates databases with their roles; resolves to the URLs of the roles at the address that stays. */
  prepare(databases: readonly DatabaseOptions[]): Promise<string[]> {
    return prepareDatabases(this.url(), databases)
  }

  /**
   * Kills all processes of the primary at once. Its connections end, or with `isSilent` nothing is heard of it again, as when its machine has
   * lost its network.
   */
  async killPrimary({ isSilent = false } = {}): Promise<void> {
    const { pid, exited } = this.#primary.postgres
    if (isSilent) this.#link.cut()
    for (const each of [pid, ...(await childrenOf(pid))]) killIfThere(each)
    await exited
  }

  /** Promotes the standby, and moves the address to it; there is no other standby then. */
  async promoteStandby(): Promise<void> {
    const promoted = this.#standby
    if (!promoted) throw new Error('There is no standby')
    await rowsOf(promoted.postgres.url, 'SELECT pg_promote()')
    this.#link.moveTo(promoted.postgres.port)
    const { dataDir } = this.#primary
    this.#primary = promoted
    this.#standby = undefined
    await removeFolder(dataDir)
  }

  /** Makes a standby from a copy of the primary; resolves when commits wait for it. */
  async addStandby(): Promise<void> {
    const dataDir = await copyOf(this.#primary)
    const { port } = this.#primary.postgres
    const source = `host=127.0.0.1 port=${port} user=postgres password=${this.#password} application_name=${standbyName}`
    const postgres = await startPostgres({
      dataDir,
      password: this.#password,
      settings: { ...settings, primary_conninfo: source, hot_standby: 'on' },
    })
    this.#standby = { dataDir, postgres }
    const ask = (sql: string) => rowsOf(this.#primary.postgres.url, sql)
    await ask(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`)
    await ask('SELECT pg_reload_conf()')
    await eventually(async () => {
      const rows = await ask(`SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`)
      if (rows.length === 0) throw new Error('The standby does not follow yet')
    })
  }

  async stop(): Promise<void> {
    // A primary that stops first waits for nothing.
    for (const server of [this.#primary, this.#standby]) {
      await server?.postgres.stop()
      if (server) await removeFolder(server.dataDir)
    }
    await this.#link.stop()
  }
}

/** Starts a primary and its standby for a test file. */
export function aReplicatedPostgres(): Promise<ReplicatedPostgres> {
  return ReplicatedPostgres.start()
}

function aFolder(): Promise<string> {
  return mkdtemp(join(provided('runFolder'), 'postgres-'))
}

/** Copies a running server as `pg_basebackup` does, which is not among the programs; the copy begins as a standby. */
async function copyOf({ dataDir, postgres }: Server): Promise<string> {
  const copy = await aFolder()
  await rm(copy, { recursive: true })
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  try {
    await client.query(`SELECT pg_backup_start('standby', true)`)
    await copyFolder(dataDir, copy)
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    )
    await makeStandby(join(copy, 'cluster'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
  return copy
}

async function copyFolder(from: string, to: string): Promise<void> {
  // Keeps owners: PostgreSQL does not run as root. A file that the server deletes meanwhile is no loss: its log has why.
  await run('cp', ['-a', from, to]).catch((error: { stderr?: string }) => {
    const faults = (error.stderr ?? '').split('\n').filter(line => line !== '' && !line.includes('No such file'))
    if (faults.length > 0) throw error
  })
}

async function makeStandby(cluster: string, label: string): Promise<void> {
  const { uid, gid } = await stat(join(cluster, 'PG_VERSION'))
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(cluster, name), { force: true })
  // The log arrives from the primary, whole.
  const log = join(cluster, 'pg_wal')
  for (const entry of await readdir(log, { withFileTypes: true })) if (entry.isFile()) await rm(join(log, entry.name))
  const files = { backup_label: label, 'standby.signal': '' }
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(cluster, name), content, { mode: 0o600 })
    await chown(join(cluster, name), uid, gid)
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
  const rows = stdout.split('\n').map(line => line.trim().split(/\s+/).map(Number))
  return rows.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended with the one before it.
  }
}
