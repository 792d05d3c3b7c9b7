import { randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createToken } from '@recto/actor'

/** Secrets of an installation, made at its first start. */
export interface Secrets {
  signingSecret: string
  encryptionKey: string
  /** Of the superuser. */
  postgres: string
  /** Of the database roles and NATS users, by process. */
  passwords: Record<string, { database: string; nats: string }>
  /** The first administrator's token was given as ADMIN_TOKEN and is not kept. */
  isTokenGiven?: boolean
}

/** Reads the installation's secrets, and makes those that are missing. */
export async function loadSecrets(dataDir: string, processes: string[]): Promise<Secrets> {
  const text = await readIfThere(secretsFile(dataDir))
  const known: Partial<Secrets> = text === undefined ? {} : JSON.parse(text)
  const secrets: Secrets = {
    signingSecret: newSecret(),
    encryptionKey: newSecret(),
    postgres: newSecret(),
    ...known,
    passwords: {
      ...Object.fromEntries(processes.map(name => [name, { database: newSecret(), nats: newSecret() }])),
      ...known.passwords,
    },
  }
  await saveSecrets(dataDir, secrets)
  return secrets
}

export async function saveSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  await writePrivate(secretsFile(dataDir), `${JSON.stringify(secrets, null, 2)}\n`)
}

/** The first administrator's token: where it comes from decides what the user is told. */
export interface AdminToken {
  value: string | undefined
  origin: 'given' | 'made' | 'kept' | 'forgotten'
}

/** The file that keeps a token made here; one that was given is kept nowhere. */
export function tokenFile(dataDir: string): string {
  return join(dataDir, 'admin-token')
}

export async function loadAdminToken(
  dataDir: string,
  given: string | undefined,
  secrets: Secrets,
): Promise<AdminToken> {
  const kept = (await readIfThere(tokenFile(dataDir)))?.trim()
  if (kept) return { value: kept, origin: 'kept' }
  if (given) return { value: given, origin: 'given' }
  if (secrets.isTokenGiven) return { value: undefined, origin: 'forgotten' }
  const value = createToken()
  await writePrivate(tokenFile(dataDir), `${value}\n`)
  return { value, origin: 'made' }
}

function secretsFile(dataDir: string): string {
  return join(dataDir, 'secrets.json')
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

async function writePrivate(path: string, content: string): Promise<void> {
  const fresh = `${path}.new`
  await writeFile(fresh, content, { mode: 0o600 })
  await chmod(fresh, 0o600)
  await rename(fresh, path)
}
