import { resolve } from 'node:path'
import { Failure } from '@recto/operation'

/** What the launcher itself reads from the environment; the rest is passed on. */
export interface Config {
  /** 0 takes a free one. */
  port: number
  dataDir: string
  adminToken: string | undefined
  natsUrl: string | undefined
  /** URLs of databases elsewhere, by service. */
  databaseUrls: Record<string, string>
  publicUrl: string | undefined
  blobUrl: string | undefined
  /** Started by `npm start`, and to end with it. */
  isUnderNpm: boolean
  environment: Record<string, string | undefined>
}

const shortestToken = 32
const highestPort = 65_535

export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given = (name: string) => environment[name] || undefined
  return {
    port: portOf(given('PORT') ?? '3000'),
    dataDir: resolve(given('DATA_DIR') ?? '.data'),
    adminToken: tokenOf(given('ADMIN_TOKEN')),
    natsUrl: urlOf('NATS_URL', given('NATS_URL')),
    databaseUrls: databaseUrlsOf(environment),
    publicUrl: urlOf('PUBLIC_URL', given('PUBLIC_URL'))?.replace(/\/+$/, ''),
    blobUrl: urlOf('BLOB_URL', given('BLOB_URL')),
    isUnderNpm: given('npm_lifecycle_event') !== undefined,
    environment,
  }
}

/** The variable that names a service's database. */
export function databaseVariable(service: string): string {
  return `DATABASE_URL_${service.replaceAll('-', '_').toUpperCase()}`
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= highestPort) return port
  throw new Failure('invalid_request', `PORT must be a number from 0 to ${highestPort}, not "${text}".`)
}

function tokenOf(token: string | undefined): string | undefined {
  if (token === undefined || token.length >= shortestToken) return token
  throw new Failure(
    'invalid_request',
    `ADMIN_TOKEN must have at least ${shortestToken} characters, and has ${token.length}.`,
  )
}

// A URL may hold a password, so the message does not repeat it.
function urlOf(name: string, url: string | undefined): string | undefined {
  if (url === undefined || url.split(',').every(part => URL.canParse(part))) return url
  throw new Failure('invalid_request', `${name} must be a URL.`)
}

function databaseUrlsOf(environment: Record<string, string | undefined>): Record<string, string> {
  const urls: Record<string, string> = {}
  for (const [name, url] of Object.entries(environment)) {
    if (name.startsWith(databaseVariable('')) && url) urls[name] = urlOf(name, url) ?? url
  }
  return urls
}
