import { databaseServiceConfig, readConfig } from '@recto/service'
import { z } from 'zod'

const megabyte = 1024 * 1024
const hour = 3_600_000
const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback)

const schema = databaseServiceConfig.extend({
  DATABASE_URL_OPENAPI_SPECS: z.string(),
  BLOB_URL: z.string(),
  OUTGOING_ALLOW: z
    .string()
    .default('')
    .describe('Hosts, host:port and CIDR blocks that may be reached although they are not public'),
  SPEC_POLL_INTERVAL: count(6 * hour).describe('Milliseconds between two polls of a source, give or take a tenth'),
  SPEC_MAX_BYTES: count(20 * megabyte).describe('Bytes of a specification, with all files that it refers to'),
  SPEC_MAX_FILES: count(200).describe('Files of a specification'),
  SPEC_TIMEOUT: count(60_000).describe('Milliseconds to fetch a specification, and to read it'),
  SPEC_CONCURRENCY: count(4).describe('Specifications that one process works on at once'),
})

/** Settings of the service of specifications. */
export type Config = z.output<typeof schema>

/** Reads the settings from the environment, or from `env` in tests. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(schema, env)
