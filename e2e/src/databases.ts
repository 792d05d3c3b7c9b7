import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, rowsOf, type Locked } from '@recto/testing'

/** The databases of all services; each is also the name of its role. */
export const databaseNames = ['content', 'events', 'git_worker', 'identity', 'openapi_specs', 'publishing']

/** Services whose databases tests open. */
type Service = 'content' | 'events' | 'git-worker' | 'identity' | 'openapi-specs'

/** The database of a service, as the service itself opens it. */
export function databaseUrl(dataDir: string, service: Service): string {
  const name = service.replaceAll('-', '_')
  return urlOf(dataDir, { user: name, password: secretsIn(dataDir).passwords[service]?.database ?? '', name })
}

/** A database as the superuser opens it. */
export function superuserUrl(dataDir: string, name: string): string {
  return urlOf(dataDir, { user: 'postgres', password: secretsIn(dataDir).postgres, name })
}

/**
 * Lets the operating system keep what PostgreSQL writes, instead of waiting for the disk. Nothing is lost when processes are killed, which
 * is all that tests kill; commits still wait until their log is written, and pages in it are whole, since a kill may cut a write short.
 */
export async function skipSyncs(dataDir: string): Promise<void> {
  const url = superuserUrl(dataDir, 'postgres')
  await rowsOf(url, 'ALTER SYSTEM SET fsync = off')
  await rowsOf(url, 'SELECT pg_reload_conf()')
}

interface Secrets {
  postgres: string
  passwords: Record<string, { database: string }>
}

function secretsIn(dataDir: string): Secrets {
  return JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets
}

function urlOf(dataDir: string, { user, password, name }: { user: string; password: string; name: string }): string {
  const [, , , port] = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')
  return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`
}

/** Resolves when somebody waits for what a test has locked. */
export function untilAwaited(locked: Locked): Promise<void> {
  return eventually(async () => {
    if (!(await locked.isAwaited())) throw new Error('Nobody waits for it')
  })
}
