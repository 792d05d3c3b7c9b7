import { commonConfig, readConfig, secrets } from '@recto/service'
import { z } from 'zod'

const schema = commonConfig.extend({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 in a container'),
  PUBLIC_URL: z.string().transform(url => url.replace(/\/+$/, '')),
  SIGNING_SECRET: secrets(z.string().min(32)),
  BLOB_URL: z.string(),
  RATE_LIMIT: z.coerce.number().int().min(1).default(1000).describe('Requests per token and minute'),
  VISITOR_RATE_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(60_000)
    .describe('Requests per visitor token and minute: all visitors of a site with the same claims share one'),
  REPLY_CACHE_SIZE: z.coerce
    .number()
    .int()
    .min(0)
    .default(64 * 1024 * 1024)
    .describe('Bytes of replies that visitors of sites share; 0 keeps none'),
  REFUSAL_LIMIT: z.coerce.number().int().min(1).default(100).describe('Refused tokens per address and minute'),
  BODY_LIMIT: z.coerce.number().int().min(1024).default(1_048_576).describe('Bytes'),
  REQUEST_TIMEOUT: z.coerce.number().int().min(100).default(15_000).describe('Milliseconds'),
  UPLOAD_IDLE_TIMEOUT: z.coerce
    .number()
    .int()
    .min(100)
    .default(30_000)
    .describe('Milliseconds that an upload may pause'),
  TRUST_PROXY: z.string().default('loopback').describe('Proxies whose X-Forwarded-For is believed'),
  SHUTDOWN_GRACE: z.coerce.number().int().min(0).default(0).describe('Milliseconds of not being ready before draining'),
})

/** Settings of the gateway. */
export type Config = z.output<typeof schema>

/** Reads them from the environment, or from what tests give instead. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(schema, env)
