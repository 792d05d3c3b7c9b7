import { databaseServiceConfig, readConfig } from '@recto/service'
import { z } from 'zod'

const schema = databaseServiceConfig.extend({
  DATABASE_URL_IDENTITY: z.string(),
  ADMIN_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
  ADMIN_EMAIL: z.email().default('admin@localhost.localdomain'),
  BUILD: z.string().default('development'),
})

/** Settings of the identity service. */
export type Config = z.output<typeof schema>

/** Reads them from the environment, or from what tests give instead. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(schema, env)
