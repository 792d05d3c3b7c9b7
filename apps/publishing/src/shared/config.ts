import { databaseServiceConfig, readConfig } from '@recto/service'
import { z } from 'zod'

const schema = databaseServiceConfig.extend({
  DATABASE_URL_PUBLISHING: z.string(),
  SITES_URL: z
    .string()
    .regex(/^https?:\/\/\{basename\}\.[a-z0-9.-]+$/, 'must be a URL such as https://{basename}.docs.example')
    .default('https://{basename}.docs.localhost')
    .describe('Where a site is published that has no hostname of its own'),
  READER_URL: z
    .url()
    .optional()
    .transform(url => url?.replace(/\/+$/, ''))
    .describe('Where the reader of published sites runs: previews lead there'),
})

/** Settings of the publishing service. */
export type Config = z.output<typeof schema>

/** Reads the settings from the environment, or from `env` in tests. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(schema, env)
