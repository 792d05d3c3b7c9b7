import { databaseServiceConfig, readConfig } from '@recto/service'
import { z } from 'zod'

const days = (fallback: number) => z.coerce.number().int().min(1).max(3_650).default(fallback)

/** The variables of the service of events. */
export const settings = databaseServiceConfig.extend({
  DATABASE_URL_EVENTS: z.string().describe('The database of the service: `postgres://user:password@host:port/name`'),
  OUTGOING_ALLOW: z
    .string()
    .default('')
    .describe('Private addresses that may be reached, by commas: hosts, host:port and CIDR blocks; none unless named'),
  WEBHOOK_TIMEOUT: z.coerce
    .number()
    .int()
    .min(100)
    .default(15_000)
    .describe('Milliseconds for an endpoint of a webhook to answer'),
  EVENTS_RETENTION: days(30).describe('Days for which the feed has an event'),
  AUDIT_RETENTION: days(365).describe('Days for which the audit log has an event; never shorter than EVENTS_RETENTION'),
})

/** Settings of the service of events. */
export type Config = z.output<typeof settings>

/** Reads the settings from the environment, or from `env` in tests. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(settings, env)
