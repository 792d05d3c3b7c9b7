import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { provided } from './provided.ts'

const role = 'tests'

/** A migrated database for one test file. */
export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** The name of the template database and the function that fills it; `migrate` must close its connections before it resolves. */
export interface Template {
  template: string
  migrate(url: string): Promise<void>
}

/**
 * Clones a database from the template, which is migrated once per run regardless of the number of workers. Its owner is
 * an ordinary role, as in production, so a migration that needs a superuser fails here too.
 */
export async function aDatabase(options: Template): Promise<TestDatabase> {
  const adminUrl = provided('postgresUrl')
  const source = `template_${options.template}`
  const name = `test_${options.template}_${randomBytes(6).toString('hex')}`
  await withAdmin(adminUrl, async admin => {
    await admin.query('SELECT pg_advisory_lock(hashtext($1))', [source])
    if (!(await exists(admin, source))) await makeTemplate(admin, adminUrl, options)
    await admin.query(`CREATE DATABASE ${quoted(name)} OWNER ${role} TEMPLATE ${quoted(source)} STRATEGY FILE_COPY`)
  })
  const drop = () => withAdmin(adminUrl, admin => admin.query(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`))
  return { url: urlOf(adminUrl, name), drop: async () => void (await drop()) }
}

/** The rows of a statement, on a connection of its own. */
export async function rowsOf(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** The locks of a test's transaction. */
export interface Locked {
  /** Whether somebody waits for it. */
  isAwaited(): Promise<boolean>
  release(): Promise<void>
}

/** Locks the row of a table that has this id in `column` until the release; the end of the server releases it, too. */
export function lockRow(
  url: string,
  { table, id, column = 'id' }: { table: string; id: string; column?: string },
): Promise<Locked> {
  return lock(url, `SELECT 1 FROM ${quoted(table)} WHERE ${quoted(column)} = $1 FOR UPDATE`, [id])
}

/** Locks a table against writes, and not against reads, until the release. */
export function lockTable(url: string, table: string): Promise<Locked> {
  return lock(url, `LOCK TABLE ${quoted(table)} IN SHARE MODE`, [])
}

async function lock(url: string, statement: string, values: string[]): Promise<Locked> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query('BEGIN')
  await client.query(statement, values)
  const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))'
  return {
    isAwaited: async () => (await client.query(waiting)).rowCount !== 0,
    release: () => client.end().catch(() => {}),
  }
}

/** Migrates under another name and renames, so that a failed migration leaves no template. */
async function makeTemplate(admin: Client, adminUrl: string, { template, migrate }: Template): Promise<void> {
  const making = `making_${template}`
  await makeRole(admin, adminUrl)
  await admin.query(`DROP DATABASE IF EXISTS ${quoted(making)} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${quoted(making)} OWNER ${role}`)
  await migrate(urlOf(adminUrl, making))
  await admin.query(`ALTER DATABASE ${quoted(making)} RENAME TO ${quoted(`template_${template}`)}`)
}

async function makeRole(admin: Client, adminUrl: string): Promise<void> {
  const password = admin.escapeLiteral(decodeURIComponent(new URL(adminUrl).password))
  await admin.query('SELECT pg_advisory_lock(hashtext($1))', [role])
  const { rowCount } = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
  if (rowCount === 0) await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD ${password}`)
  await admin.query('SELECT pg_advisory_unlock(hashtext($1))', [role])
}

async function exists(admin: Client, database: string): Promise<boolean> {
  const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
  return rowCount !== 0
}

async function withAdmin<T>(adminUrl: string, act: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    return await act(admin)
  } finally {
    await admin.end()
  }
}

function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.username = role
  url.pathname = `/${database}`
  return url.href
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
