import { resolve } from 'node:path'
import { Failure } from '@recto/operation'
import { readEnvironment } from '@recto/service'

/** The launcher's settings; other variables are passed on to the processes. */
export interface Config {
  /** 0 selects a free port. */
  port: number
  /** Port of the reader, 0 selects a free one; undefined runs no reader. */
  readerPort: number | undefined
  /** Of the first process but the gateway; the others have those after it. 0 selects free ones. */
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

/** Reads the settings from the environment; throws `invalid_request` that names a faulty variable. */
export function readConfig(variables: Record<string, string | undefined> = process.env): Config {
  const environment = readEnvironment(variables)
  const given = (name: string) => environment[name] || undefined
  const port = parsePort('PORT', given('PORT') ?? '3000')
  return {
    port,
    readerPort: parseReaderPort(given('READER_PORT') ?? (port === 0 ? '0' : '3010')),
    healthPort: parsePort('HEALTH_PORT', given('HEALTH_PORT') ?? '0'),
    dataDir: resolve(given('DATA_DIR') ?? '.data'),
    adminToken: parseToken(given('ADMIN_TOKEN')),
    natsUrl: parseUrl('NATS_URL', given('NATS_URL')),
    databaseUrls: readDatabaseUrls(environment),
    publicUrl: parseUrl('PUBLIC_URL', given('PUBLIC_URL'))?.replace(/\/+$/, ''),
    blobUrl: parseUrl('BLOB_URL', given('BLOB_URL')),
    isUnderNpm: given('npm_lifecycle_event') !== undefined,
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

function parseToken(token: string | undefined): string | undefined {
  if (token === undefined || token.length >= minTokenLength) return token
  throw new Failure(
    'invalid_request',
    `ADMIN_TOKEN must have at least ${minTokenLength} characters, and has ${token.length}.`,
  )
}

// A URL may contain a password, so the message does not quote it.
function parseUrl(name: string, url: string | undefined): string | undefined {
  if (url === undefined || url.split(',').every(part => URL.canParse(part))) return url
  throw new Failure('invalid_request', `${name} must be a URL.`)
}

function readDatabaseUrls(environment: Record<string, string | undefined>): Record<string, string> {
  const urls: Record<string, string> = {}
  for (const [name, url] of Object.entries(environment)) {
    if (name.startsWith(databaseVariable('')) && url) urls[name] = parseUrl(name, url) ?? url
  }
  return urls
}
