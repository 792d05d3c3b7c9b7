import { resolve } from 'node:path'
import { Failure } from '@recto/operation'
import { readEnvironment } from '@recto/service'

/** The launcher's settings; other variables are passed on to the processes. */
export interface Config {
  /** 0 selects a free port. */
  port: number
  /** Port of the reader, 0 selects a free one; undefined runs no reader. */
  readerPort: number | undefined
  /** The port of the first process but the gateway; the others take the ports after it. 0 selects free ports. */
  healthPort: number
  dataDir: string
  adminToken: string | undefined
  natsUrl: string | undefined
  /** URLs of external databases, by variable. */
  databaseUrls: Record<string, string>
  publicUrl: string | undefined
  blobUrl: string | undefined
  /** Whether `npm start` runs the launcher, which then ends with npm. */
  isUnderNpm: boolean
  environment: Record<string, string | undefined>
}

const minTokenLength = 32
/** The highest port that there is. */
export const maxPort = 65_535

interface LauncherSetting {
  /** In words where it is not one value; undefined for a setting that is left out. */
  default?: string
  description: string
}

/** The variables of the launcher, as docs/settings.md lists them; it passes all others on to the processes. */
export const settings = {
  PORT: { default: '3000', description: 'Port of the API; 0 selects a free one' },
  READER_PORT: {
    default: '3010',
    description:
      'Port of the built-in reader of sites; 0, or 0 as `PORT`, selects a free one, and `off` runs no reader',
  },
  HEALTH_PORT: {
    default: '0',
    description:
      'Port of /readyz and /metrics of the first process; the others have those after it. 0 selects free ones',
  },
  DATA_DIR: { default: '.data', description: 'Folder of all data' },
  PUBLIC_URL: { default: 'http://127.0.0.1:$PORT', description: 'Where callers reach the API' },
  BLOB_URL: { default: 'file://$DATA_DIR/blobs', description: 'Blob store; `s3://bucket/prefix?region=…` for S3' },
  ADMIN_TOKEN: {
    default: 'generated, printed once',
    description: 'Token of the first administrator, 32 characters or more; used at the first start',
  },
  NATS_URL: { default: 'a server of its own', description: 'External NATS servers with JetStream, by commas' },
  NATS_SERVER: { default: 'found or downloaded', description: 'Path of the nats-server program' },
  DATABASE_URL_IDENTITY: { default: 'a server of its own', description: 'External database of identity' },
  DATABASE_URL_CONTENT: { default: 'a server of its own', description: 'External database of content' },
  DATABASE_URL_PUBLISHING: { default: 'a server of its own', description: 'External database of publishing' },
  DATABASE_URL_OPENAPI_SPECS: { default: 'a server of its own', description: 'External database of openapi-specs' },
  DATABASE_URL_GIT_WORKER: { default: 'a server of its own', description: 'External database of git-worker' },
  DATABASE_URL_EVENTS: { default: 'a server of its own', description: 'External database of events' },
  SIGNING_SECRET: { default: 'generated', description: 'As of the services, kept in `secrets.json` when generated' },
  ENCRYPTION_KEY: { default: 'generated', description: 'As of git-worker, kept in `secrets.json` when generated' },
  CACHE_DIR: { default: '$DATA_DIR/cache/git-worker', description: 'Folder of the clones of git-worker' },
  READER_KEPT_FOLDER: {
    default: '$DATA_DIR/cache/kept-sites',
    description: 'Folder of what the reader shows while the API is away',
  },
} satisfies Record<string, LauncherSetting>

/** Reads the settings from the environment; throws `invalid_request` that names a faulty variable. */
export function readConfig(variables: Record<string, string | undefined> = process.env): Config {
  const environment = readEnvironment(variables)
  const valueOf = (name: keyof typeof settings) => environment[name] || undefined
  const port = parsePort('PORT', valueOf('PORT') ?? settings.PORT.default)
  return {
    port,
    readerPort: parseReaderPort(valueOf('READER_PORT') ?? (port === 0 ? '0' : settings.READER_PORT.default)),
    healthPort: parsePort('HEALTH_PORT', valueOf('HEALTH_PORT') ?? settings.HEALTH_PORT.default),
    dataDir: resolve(valueOf('DATA_DIR') ?? settings.DATA_DIR.default),
    adminToken: checkedToken(valueOf('ADMIN_TOKEN')),
    natsUrl: checkedUrls('NATS_URL', valueOf('NATS_URL')),
    databaseUrls: readDatabaseUrls(environment),
    publicUrl: checkedUrls('PUBLIC_URL', valueOf('PUBLIC_URL'))?.replace(/\/+$/, ''),
    blobUrl: checkedUrls('BLOB_URL', valueOf('BLOB_URL')),
    isUnderNpm: Boolean(environment.npm_lifecycle_event),
    environment,
  }
}

/** The variable that names a service's database. */
export function databaseVariable(service: string): string {
  return `DATABASE_URL_${service.replaceAll('-', '_').toUpperCase()}`
}

function parsePort(name: string, text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= maxPort) return port
  throw new Failure('invalid_request', `${name} must be a number from 0 to ${maxPort}, not "${text}".`)
}

function parseReaderPort(text: string): number | undefined {
  return text === 'off' ? undefined : parsePort('READER_PORT', text)
}

/** Returns the token unchanged when it is long enough or not set; else throws `invalid_request`. */
function checkedToken(token: string | undefined): string | undefined {
  if (token === undefined || token.length >= minTokenLength) return token
  throw new Failure(
    'invalid_request',
    `ADMIN_TOKEN must have at least ${minTokenLength} characters, and has ${token.length}.`,
  )
}

/**
 * Returns the setting unchanged when it is a URL, several joined by commas, or not set; else throws `invalid_request`. The message leaves
 * the value out, since a URL may contain a password.
 */
function checkedUrls(name: string, url: string | undefined): string | undefined {
  if (url === undefined || url.split(',').every(part => URL.canParse(part))) return url
  throw new Failure('invalid_request', `${name} must be a URL.`)
}

function readDatabaseUrls(environment: Record<string, string | undefined>): Record<string, string> {
  const urls: Record<string, string> = {}
  for (const [name, url] of Object.entries(environment)) {
    if (name.startsWith(databaseVariable('')) && url) urls[name] = checkedUrls(name, url) ?? url
  }
  return urls
}
