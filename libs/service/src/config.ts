import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, parseSecrets } from '@recto/operation'
import { parseWithFaults } from '@recto/schema-faults'
import { z } from 'zod'

/**
 * The environment without empty variables, which count as unset, and with the files of `SETTINGS_DIR`, a folder of files named like
 * variables: secrets in files show in no list of processes or containers. A variable itself wins.
 */
export function readEnvironment(env: Record<string, string | undefined> = process.env): Record<string, string> {
  const present = Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const variables = Object.fromEntries(present)
  return { ...fromFiles(variables), ...variables }
}

/** Parses the environment with a schema; throws one `invalid_request` that names every faulty variable and no value. */
export function readConfig<T extends z.ZodType>(
  schema: T,
  env: Record<string, string | undefined> = process.env,
): z.output<T> {
  const result = parseWithFaults(schema, readEnvironment(env))
  if (result.success) return result.data
  const details = result.faults.map(({ path, message }) => ({ path, message }))
  const message = details.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new Failure('invalid_request', `The configuration is not valid: ${message}`, { details })
}

/** An `http` or `https` URL without slashes at its end: paths are put behind it. */
export const webAddress = z.string().refine(isWebAddress, 'must be an http or https URL').transform(withoutLastSlashes)

/** Several of them, by commas. */
export const webAddresses = z
  .string()
  .transform(urls => urls.split(',').map(url => withoutLastSlashes(url.trim())))
  .refine(urls => urls.every(isWebAddress), 'must be http or https URLs, joined by commas')

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

function withoutLastSlashes(url: string): string {
  return url.replace(/\/+$/, '')
}

/** Environment variables of every process. */
export const processConfig = z.object({
  HEALTH_HOST: z.string().default('0.0.0.0').describe('Address of /livez, /readyz and /metrics'),
  HEALTH_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port of /livez, /readyz and /metrics; 0 selects a free one; without it these are not served on a port of their own',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('Least severe level that is logged; logs are JSON lines'),
  SHUTDOWN_TIMEOUT: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(25_000)
    .describe('Milliseconds for an orderly stop, after SHUTDOWN_GRACE where the process has that setting'),
  BUILD: z.string().default('development').describe('Version of this build, as metrics and traces name it'),
  // These decide whether the OpenTelemetry SDK is loaded; the SDK reads them and all other OTEL_* variables itself.
  OTEL_SDK_DISABLED: z.string().optional().describe('`true` sends no traces and no metrics'),
  OTEL_TRACES_EXPORTER: z
    .string()
    .optional()
    .describe('Exporters of traces, by commas: `otlp`, `console`, `zipkin` or `none`; by the endpoints unless set'),
  OTEL_METRICS_EXPORTER: z
    .string()
    .optional()
    .describe('Exporters of metrics, by commas: `otlp`, `console` or `none`; by the endpoints unless set'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional().describe('URL of the collector of traces and metrics'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .string()
    .optional()
    .describe('URL to which traces are sent; alone, only traces are'),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: z
    .string()
    .optional()
    .describe('URL to which metrics are sent; alone, only metrics are'),
  OTEL_LOG_LEVEL: z.string().optional().describe('Level of the messages of OpenTelemetry itself'),
})

/** Environment variables of every process on the bus. */
export const commonConfig = processConfig.extend({
  NATS_URL: z.string().describe('NATS servers with JetStream, by commas: `nats://user:password@host:port`'),
  CALL_TIMEOUT: z.coerce
    .number()
    .int()
    .min(100)
    .default(5_000)
    .describe('Milliseconds that a call of another service may take, or longer where the call says so'),
})

/** A secret that can be rotated: the current one, and behind commas those before it that are still accepted. */
export function secrets(secret: z.ZodType<string, string>) {
  return z.string().transform((text, context) => {
    const parsed = parseSecrets(text)
    for (const each of parsed)
      for (const { message } of secret.safeParse(each).error?.issues ?? []) context.addIssue(message)
    return parsed
  })
}

/** Environment variables of every service with a database. */
export const databaseServiceConfig = commonConfig.extend({
  PUBLIC_URL: webAddress.describe('Where callers reach the gateway: base of the URLs in replies'),
  SIGNING_SECRET: secrets(z.string().min(32)).describe(
    'Signs cursors, download URLs and the claims of visitors; 32 characters or more, former values behind commas',
  ),
  MIGRATE_AT_START: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Bring the database to the newest schema before anything else; off where a job does it'),
  NATS_REPLICAS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe('Servers of the NATS cluster that keep each message of a stream, 3 of three: then one may be lost'),
  DATABASE_POOL: z.coerce.number().int().min(1).default(10).describe('Connections to the database of one process'),
  DATABASE_WAIT: z.coerce
    .number()
    .int()
    .min(100)
    .default(10_000)
    .describe('Milliseconds to wait for a connection, of the pool or of the server'),
})

/** How a service is on the bus, from its settings. */
export function busSettings(
  config: Pick<z.output<typeof databaseServiceConfig>, 'NATS_URL' | 'CALL_TIMEOUT' | 'NATS_REPLICAS'>,
) {
  return { natsUrl: config.NATS_URL, callTimeout: config.CALL_TIMEOUT, streamReplicas: config.NATS_REPLICAS }
}

/** The limits of a service's connections, from its settings. */
export function databaseLimits(
  config: Pick<z.output<typeof databaseServiceConfig>, 'DATABASE_POOL' | 'DATABASE_WAIT'>,
) {
  return { poolSize: config.DATABASE_POOL, connectionTimeout: config.DATABASE_WAIT }
}

function fromFiles({ SETTINGS_DIR: folder }: Record<string, string>): Record<string, string> {
  if (folder === undefined) return {}
  return Object.fromEntries(listSettings(folder).map(name => [name, readSetting(join(folder, name))]))
}

function listSettings(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => /^[A-Z][A-Z0-9_]*$/.test(name))
  } catch (cause) {
    throw unreadable(cause)
  }
}

function readSetting(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw unreadable(cause)
  }
}

function unreadable(cause: unknown): Failure {
  return new Failure('invalid_request', 'The configuration is not valid: SETTINGS_DIR: cannot be read', { cause })
}
