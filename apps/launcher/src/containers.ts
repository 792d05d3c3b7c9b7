import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseUrl, natsConfig, natsUsers, prepareDatabases } from '@recto/embedded'
import { createPrivateFolder } from './instance.ts'
import { databaseVariable } from './config.ts'
import { databaseOf } from './plan.ts'
import type { ProcessRow } from './processes.ts'
import { maxPayload } from './servers.ts'
import { type Rotation, rotated } from './rotation.rules.ts'
import { loadAdminToken, loadSecrets, saveSecrets, type Secrets } from './secrets.ts'

/** Where PostgreSQL is for containers, unless it is said: host and port. */
const defaultPostgres = 'postgres:5432'
/** The name that compose and Kubernetes give the server. */
const natsAddress = 'nats:4222'

/** A file beside the settings, which is none: the clients of S3 read it themselves. */
const s3Credentials = 'aws-credentials'

/** Where to write or read, and where PostgreSQL is. */
export interface ContainerOptions {
  folder: string
  postgres?: string | undefined
}

/** The settings of a process, each of which becomes a file of its name. */
type Files = Record<string, string>

/**
 * Writes the secrets of an installation in containers, and generates those that are missing: below `folder` one folder for each process
 * and server, which is mounted there alone. In it each setting is a file, whose name says which variable it is.
 */
export async function writeContainerFiles(
  { folder, postgres = defaultPostgres }: ContainerOptions,
  table: ProcessRow[],
  adminToken?: string,
): Promise<void> {
  const own = join(folder, 'setup')
  await createPrivateFolder(own)
  const secrets = await loadSecrets(
    own,
    table.map(({ name }) => name),
  )
  const { value: token = '' } = await loadAdminToken(own, adminToken, secrets)
  const settings = table.map(row => ({ ...row, files: settingsOf(row, { secrets, token, postgres }) }))
  for (const { name, files } of settings) await writeFiles(join(folder, name), files)
  await writeFiles(join(folder, 'backup'), backupFiles(settings.map(({ files }) => files)))
  await writeFiles(join(folder, 'postgres'), { POSTGRES_PASSWORD: secrets.postgres })
  await writeFiles(join(folder, 'nats'), natsFiles(table, secrets))
  await writeFiles(join(folder, 's3'), { ROOT_SECRET_KEY: secrets.s3 })
}

/** Rotates a secret of an installation in containers, and writes the files of all processes again. */
export async function rotateContainerSecret(
  options: ContainerOptions,
  rotation: Rotation,
  table: ProcessRow[],
): Promise<void> {
  const own = join(options.folder, 'setup')
  const names = table.map(({ name }) => name)
  await saveSecrets(own, rotated(await loadSecrets(own, names), rotation))
  await writeContainerFiles(options, table)
}

/** Creates the databases of the services with their roles, or brings their passwords up to date. */
export async function prepareContainerDatabases(
  { folder, postgres = defaultPostgres }: ContainerOptions,
  table: ProcessRow[],
): Promise<void> {
  const names = table.map(({ name }) => name)
  const secrets = await loadSecrets(join(folder, 'setup'), names)
  const adminUrl = `postgres://postgres:${secrets.postgres}@${postgres}/postgres`
  const owners = table.filter(({ hasDatabase }) => hasDatabase)
  await prepareDatabases(
    adminUrl,
    owners.map(({ name }) => databaseOf(name, secrets)),
  )
}

function settingsOf(
  { name, hasDatabase, settings, subjects }: ProcessRow,
  { secrets, token, postgres }: { secrets: Secrets; token: string; postgres: string },
): Files {
  const { nats = '' } = secrets.passwords[name] ?? {}
  const secretFiles: Files = {
    ADMIN_TOKEN: token,
    ENCRYPTION_KEY: secrets.encryptionKey,
    SIGNING_SECRET: secrets.signingSecret,
  }
  return {
    ...(subjects && { NATS_URL: `nats://${name}:${nats}@${natsAddress}` }),
    ...(hasDatabase && { [databaseVariable(name)]: databaseUrl(`postgres://${postgres}`, databaseOf(name, secrets)) }),
    ...(settings.includes('BLOB_URL') && { [s3Credentials]: awsCredentials(secrets) }),
    ...Object.fromEntries(settings.flatMap(setting => (secretFiles[setting] ? [[setting, secretFiles[setting]]] : []))),
  }
}

/** The credentials of the local S3, as its clients read them. */
function awsCredentials({ s3 }: Secrets): string {
  return `[default]\naws_access_key_id = recto\naws_secret_access_key = ${s3}\n`
}

/** The files that commands of administration need: the URLs of all databases, the key of encrypted values, and the blobs. */
function backupFiles(settings: Files[]): Files {
  const isNeeded = (name: string) =>
    name.startsWith(databaseVariable('')) || ['ENCRYPTION_KEY', s3Credentials].includes(name)
  return Object.fromEntries(settings.flatMap(files => Object.entries(files).filter(([name]) => isNeeded(name))))
}

/** The whole configuration of a single server, and the users alone, for a cluster with a configuration of its own. */
function natsFiles(table: ProcessRow[], { passwords }: Secrets): Files {
  const users = table.flatMap(({ name, subjects }) =>
    subjects ? [{ name, password: passwords[name]?.nats ?? '', ...subjects }] : [],
  )
  const listen = { host: '0.0.0.0', port: 4222, monitorPort: 8222 }
  return {
    'nats.conf': natsConfig({ ...listen, storeDir: '/data', pidFile: '/tmp/nats.pid', users, maxPayload }),
    'users.conf': natsUsers(users),
  }
}

/** Containers run as users of their own, so that whoever has the folder can read its files: each is mounted in one container. */
async function writeFiles(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await writeFile(`${path}.new`, content, { mode: 0o444 })
    await rename(`${path}.new`, path)
  }
}
