import { databaseServiceConfig, readConfig } from '@recto/service'
import { z } from 'zod'

const megabyte = 1024 * 1024
const hour = 3_600_000
const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback)

/** The variables of the service of specifications. */
export const settings = databaseServiceConfig.extend({
  DATABASE_URL_OPENAPI_SPECS: z
    .string()
    .describe('The database of the service: `postgres://user:password@host:port/name`'),
  BLOB_URL: z.string().describe('Blob store: `file:///folder`, or `s3://bucket/prefix?region=…&endpoint=…`'),
  OUTGOING_ALLOW: z
    .string()
    .default('')
    .describe('Private addresses that may be reached, by commas: hosts, host:port and CIDR blocks; none unless named'),
  SPEC_POLL_INTERVAL: count(6 * hour).describe('Milliseconds between two polls of a source, give or take a tenth'),
  SPEC_MAX_BYTES: count(20 * megabyte).describe('Bytes of a specification, with all files that it refers to'),
  SPEC_MAX_FILES: count(200).describe('Files of a specification'),
  SPEC_TIMEOUT: count(60_000).describe('Milliseconds to fetch a specification, and to read it'),
  SPEC_CONCURRENCY: count(4).describe('Specifications that one process works on at once'),
})

/** Settings of the service of specifications. */
export type Config = z.output<typeof settings>

/** Reads the settings from the environment, or from `env` in tests. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(settings, env)
