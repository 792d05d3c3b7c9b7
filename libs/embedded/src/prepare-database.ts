import { Client } from 'pg'

/** A service's database: its name, the role that owns it, and that role's password. */
export interface DatabaseOptions {
  database: string
  role: string
  password: string
}

// Advisory lock key shared by all launchers of a server: databases cannot be created in a transaction.
const lock = 7_243_871

/**
 * Creates roles and their databases where they are missing, revokes other roles' access and sets the passwords. `adminUrl` is that of a
 * superuser, or of a role that may create databases and roles. Resolves to the URLs of the roles.
 */
export async function prepareDatabases(adminUrl: string, databases: readonly DatabaseOptions[]): Promise<string[]> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    for (const { database, role, password } of databases) {
      await ensureRole(client, role, password)
      await ensureDatabase(client, database, role)
    }
  } finally {
    await client.end()
  }
  return databases.map(each => databaseUrl(adminUrl, each))
}

/** The URL with which a role connects to its database on a server, of which any URL is given. */
export function databaseUrl(server: string, { database, role, password }: DatabaseOptions): string {
  const url = new URL(server)
  url.username = encodeURIComponent(role)
  url.password = encodeURIComponent(password)
  url.pathname = `/${encodeURIComponent(database)}`
  return url.href
}

async function ensureRole(client: Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
  const verb = rowCount === 0 ? 'CREATE' : 'ALTER'
  await client.query(`${verb} ROLE ${client.escapeIdentifier(role)} LOGIN PASSWORD ${client.escapeLiteral(password)}`)
}

async function ensureDatabase(client: Client, database: string, role: string): Promise<void> {
  const name = client.escapeIdentifier(database)
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
  if (rowCount === 0) await client.query(`CREATE DATABASE ${name} OWNER ${client.escapeIdentifier(role)}`)
  await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC`)
}
