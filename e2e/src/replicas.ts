import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { eventually, freePort } from '@recto/testing'
import { cleanEnvironment } from './config.ts'
import type { Installation } from './stack.ts'

const apps = fileURLToPath(new URL('../../dist/apps', import.meta.url))

/** The processes of the platform, in the order in which they are restarted. */
export const processNames = [
  'identity',
  'content',
  'publishing',
  'openapi-specs',
  'git-worker',
  'events',
  'gateway',
] as const

/** One of several processes of the same kind. */
export interface Replica {
  name: string
  /** Where it answers `/readyz` and `/metrics`; of a gateway also the API. */
  url: string
  /** Ends it with SIGTERM, and starts it again; resolves when the new one is ready. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

async function untilReady(url: string): Promise<void> {
  const check = async () => {
    if (!(await isReady(url))) throw new Error(`${url} is not ready`)
  }
  await eventually(check)
}

/** Where a process of the stack answers `/readyz` and `/metrics`: the gateway at its own address, the others where their logs say. */
export function healthUrlOf({ dataDir, url }: Installation, name: string): string {
  if (name === 'gateway') return url
  const ports = readFileSync(join(dataDir, 'logs', `${name}.log`), 'utf8').matchAll(/"healthPort":(\d+)/g)
  return `http://127.0.0.1:${[...ports].at(-1)?.[1]}`
}

/** The process that the launcher runs, which also starts it again. */
export function replicaOfStack(stack: Installation, name: string): Replica {
  const url = healthUrlOf(stack, name)
  const restart = async () => {
    const before = stack.pidOf(name)
    process.kill(before, 'SIGTERM')
    const check = () => {
      if (stack.pidOf(name) === before) throw new Error(`${name} has not started again`)
    }
    await eventually(check)
    await untilReady(url)
  }
  return { name, url, restart, stop: async () => {} }
}

/** Starts another process of a running stack, as on another machine; `settings` are its own. */
export async function aReplica(
  stack: Installation,
  name: string,
  settings: Record<string, string> = {},
): Promise<Replica> {
  const port = settings.PORT ?? String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...environmentOf(stack, name, settings),
    ...(name === 'gateway' ? { PORT: port } : { HEALTH_PORT: port }),
  }
  const start = (): ChildProcess =>
    spawn(process.execPath, [join(apps, name, 'main.js')], { env: { ...env, ...settings }, stdio: 'ignore' })
  let child = start()
  await untilReady(url).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`${name} ended with ${code}`)
  }
  const restart = async () => {
    await stop()
    child = start()
    await untilReady(url)
  }
  return { name, url, restart, stop }
}

interface Secrets {
  signingSecret: string
  encryptionKey: string
  passwords: Record<string, { nats: string; database: string }>
}

/** `settings` name the servers where they are not those of the stack. */
function environmentOf(
  { dataDir, url }: Installation,
  name: string,
  settings: Record<string, string>,
): Record<string, string | undefined> {
  const { signingSecret, encryptionKey, passwords } = JSON.parse(
    readFileSync(join(dataDir, 'secrets.json'), 'utf8'),
  ) as Secrets
  const role = name.replaceAll('-', '_')
  const databaseVariable = `DATABASE_URL_${role.toUpperCase()}`
  const ownPasswords = passwords[name] ?? { nats: '', database: '' }
  return {
    ...cleanEnvironment(),
    PUBLIC_URL: url,
    SIGNING_SECRET: signingSecret,
    ENCRYPTION_KEY: encryptionKey,
    OUTGOING_ALLOW: '127.0.0.1',
    ...(name !== 'gateway' &&
      settings[databaseVariable] === undefined && {
        [databaseVariable]: databaseUrl(dataDir, { role, password: ownPasswords.database }),
      }),
    BLOB_URL: pathToFileURL(join(dataDir, 'blobs')).href,
    CACHE_DIR: join(dataDir, 'cache', `${name}-two`),
    NATS_URL: settings.NATS_URL ?? natsUrl(dataDir, { name, password: ownPasswords.nats }),
  }
}

function natsUrl(dataDir: string, { name, password }: { name: string; password: string }): string {
  const port = /^listen: "[^"]*:(\d+)"/m.exec(readFileSync(join(dataDir, 'nats/nats.conf'), 'utf8'))?.[1]
  return `nats://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}`
}

function databaseUrl(dataDir: string, { role, password }: { role: string; password: string }): string {
  const port = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[3]
  return `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${role}`
}
