import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DatabaseOptions } from '@recto/embedded'
import { databaseVariable, type Config } from './config.ts'
import type { ProcessRow, Setting } from './processes.ts'
import type { Secrets } from './secrets.ts'

/** The addresses of the servers that were started. */
export interface Addresses {
  /** The ports of the gateway and of the reader, by their setting. */
  ports: Partial<Record<'PORT' | 'READER_PORT', number>>
  natsUrlOf(process: string): string
  /** Database URLs by variable. */
  databaseUrls: Record<string, string>
}

interface EnvironmentOptions {
  config: Config
  secrets: Secrets
  adminToken: string | undefined
  addresses: Addresses
  healthPort: number | undefined
}

const secretVariables = [
  'ADMIN_TOKEN',
  'SIGNING_SECRET',
  'ENCRYPTION_KEY',
  'READER_SECRET',
  'EDGE_VARNISH_TOKEN',
  'EDGE_FASTLY_TOKEN',
  'EDGE_CLOUDFLARE_TOKEN',
  'EDGE_WEBHOOK_SECRET',
  'SAML_SIGNING_KEY',
  'ASK_ENGINE_KEY',
  'TRANSLATION_ENGINE_KEY',
  'NATS_URL',
  'NATS_SERVER',
  'DATA_DIR',
]

/** The environment of one process: the launcher's own, without the secrets of other processes. */
export function processEnvironment(
  row: ProcessRow,
  { config, secrets, adminToken, addresses, healthPort }: EnvironmentOptions,
): Record<string, string | undefined> {
  const settings: Record<Setting, string | undefined> = {
    ADMIN_TOKEN: adminToken,
    BLOB_URL: config.blobUrl ?? pathToFileURL(join(config.dataDir, 'blobs')).href,
    CACHE_DIR: config.environment.CACHE_DIR || join(config.dataDir, 'cache', row.name),
    ENCRYPTION_KEY: config.environment.ENCRYPTION_KEY || secrets.encryptionKey,
    READER_KEPT_FOLDER: config.environment.READER_KEPT_FOLDER || join(config.dataDir, 'cache', 'kept-sites'),
    READER_SECRET: config.environment.READER_SECRET,
    EDGE_VARNISH_TOKEN: config.environment.EDGE_VARNISH_TOKEN,
    EDGE_FASTLY_TOKEN: config.environment.EDGE_FASTLY_TOKEN,
    EDGE_CLOUDFLARE_TOKEN: config.environment.EDGE_CLOUDFLARE_TOKEN,
    EDGE_WEBHOOK_SECRET: config.environment.EDGE_WEBHOOK_SECRET,
    SAML_SIGNING_KEY: config.environment.SAML_SIGNING_KEY,
    SIGNING_SECRET: config.environment.SIGNING_SECRET || secrets.signingSecret,
    ASK_ENGINE_KEY: config.environment.ASK_ENGINE_KEY,
    TRANSLATION_ENGINE_KEY: config.environment.TRANSLATION_ENGINE_KEY,
  }
  const variable = databaseVariable(row.name)
  const isRestricted = (name: string) => secretVariables.includes(name) || name.startsWith(databaseVariable(''))
  return {
    ...Object.fromEntries(Object.entries(config.environment).filter(([name]) => !isRestricted(name))),
    NATS_URL: row.subjects && addresses.natsUrlOf(row.name),
    PUBLIC_URL: config.publicUrl ?? gatewayUrl(addresses),
    API_URL: gatewayUrl(addresses),
    READER_URL: config.environment.READER_URL || readerUrl(addresses),
    ...Object.fromEntries(row.settings.map(setting => [setting, settings[setting]])),
    // A separate process for the migration would load most of the service twice.
    ...(row.hasDatabase && { [variable]: addresses.databaseUrls[variable], MIGRATE_AT_START: 'true' }),
    PORT: row.portSetting && String(addresses.ports[row.portSetting]),
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: healthPort === undefined ? undefined : String(healthPort),
  }
}

/** Where this machine reaches the gateway. */
export function gatewayUrl({ ports }: Pick<Addresses, 'ports'>): string {
  return `http://127.0.0.1:${ports.PORT}`
}

/** Where a browser of this machine reaches the reader; undefined without one. Its cookies are safe at this name only, without https. */
export function readerUrl({ ports }: Pick<Addresses, 'ports'>): string | undefined {
  return ports.READER_PORT === undefined ? undefined : `http://localhost:${ports.READER_PORT}`
}

/** The processes whose database the launcher runs, because no URL configures an external one. */
export function withManagedDatabase(table: ProcessRow[], config: Config): ProcessRow[] {
  return table.filter(({ name, hasDatabase }) => hasDatabase && !config.databaseUrls[databaseVariable(name)])
}

/** The name of a service's database and role. */
export function databaseName(service: string): string {
  return service.replaceAll('-', '_')
}

/** The database of a service with its role, which have one name. */
export function databaseOf(service: string, { passwords }: Pick<Secrets, 'passwords'>): DatabaseOptions {
  const name = databaseName(service)
  return { database: name, role: name, password: passwords[service]?.database ?? '' }
}
