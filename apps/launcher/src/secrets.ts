import { randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createToken } from '@recto/actor'

/** Secrets of an installation, generated at its first start. */
export interface Secrets {
  signingSecret: string
  encryptionKey: string
  /** Password of the superuser. */
  postgres: string
  /** The secret key of the local S3 that containers may use. */
  s3: string
  /** Passwords of the database roles and NATS users, by process. */
  passwords: Record<string, { database: string; nats: string }>
  /** The first administrator's token was given as ADMIN_TOKEN and is not stored. */
  isTokenGiven?: boolean
}

/** Reads the secrets of the installation, and generates the missing ones. */
export async function loadSecrets(dataDir: string, processes: string[]): Promise<Secrets> {
  const text = await readIfExists(secretsFile(dataDir))
  const storedSecrets: Partial<Secrets> = text === undefined ? {} : JSON.parse(text)
  const secrets: Secrets = {
    signingSecret: newSecret(),
    encryptionKey: newSecret(),
    postgres: newSecret(),
    s3: newSecret(),
    ...storedSecrets,
    passwords: {
      ...Object.fromEntries(processes.map(name => [name, { database: newSecret(), nats: newSecret() }])),
      ...storedSecrets.passwords,
    },
  }
  // A folder with all of them may be read-only, such as a mounted secret.
  if (JSON.stringify(secrets) !== JSON.stringify(storedSecrets)) await saveSecrets(dataDir, secrets)
  return secrets
}

export async function saveSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  await writePrivate(secretsFile(dataDir), `${JSON.stringify(secrets, null, 2)}\n`)
}

/** The first administrator's token and where it comes from. */
export interface AdminToken {
  value: string | undefined
  origin: 'given' | 'generated' | 'stored' | 'unknown'
}

/** The file of a generated token; a given one is not stored. */
export function tokenFile(dataDir: string): string {
  return join(dataDir, 'admin-token')
}

export async function loadAdminToken(
  dataDir: string,
  configuredToken: string | undefined,
  secrets: Secrets,
): Promise<AdminToken> {
  const stored = (await readIfExists(tokenFile(dataDir)))?.trim()
  if (stored) return { value: stored, origin: 'stored' }
  if (configuredToken) return { value: configuredToken, origin: 'given' }
  if (secrets.isTokenGiven) return { value: undefined, origin: 'unknown' }
  const value = createToken()
  await writePrivate(tokenFile(dataDir), `${value}\n`)
  return { value, origin: 'generated' }
}

/** The file of the secrets in a data folder. */
export function secretsFile(dataDir: string): string {
  return join(dataDir, 'secrets.json')
}

/** 32 random bytes in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

async function readIfExists(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

async function writePrivate(path: string, content: string): Promise<void> {
  const temporary = `${path}.new`
  await writeFile(temporary, content, { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, path)
}
