import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, type Locked } from '@recto/testing'

/** Services whose databases tests open. */
type Service = 'content' | 'events' | 'git-worker' | 'identity' | 'openapi-specs'

/** The database of a service, as the service itself opens it. */
export function databaseUrl(dataDir: string, service: Service): string {
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    passwords: Record<string, { database: string }>
  }
  const [, , , port] = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')
  const name = service.replaceAll('-', '_')
  const password = encodeURIComponent(secrets.passwords[service]?.database ?? '')
  return `postgres://${name}:${password}@127.0.0.1:${port}/${name}`
}

/** Resolves when somebody waits for what a test has locked. */
export function untilAwaited(locked: Locked): Promise<void> {
  return eventually(async () => {
    if (!(await locked.isAwaited())) throw new Error('Nobody waits for it')
  })
}
