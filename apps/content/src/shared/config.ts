import { databaseServiceConfig, readConfig } from '@recto/service'
import { z } from 'zod'

const schema = databaseServiceConfig.extend({
  DATABASE_URL_CONTENT: z.string(),
  BLOB_URL: z.string(),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url')
    .describe('Encrypts credentials at rest'),
})

/** Settings of the content service. */
export type Config = z.output<typeof schema>

/** Reads the settings from the environment, or from `env` in tests. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(schema, env)
