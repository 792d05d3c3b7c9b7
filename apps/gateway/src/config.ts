import { commonConfig, readConfig, secrets, webAddress } from '@recto/service'
import { z } from 'zod'

/** The variables of the gateway. */
export const settings = commonConfig.extend({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe('Port of the API; 0 selects a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 in a container'),
  PUBLIC_URL: webAddress.describe('Where callers reach the gateway: base of the URLs in replies'),
  SIGNING_SECRET: secrets(z.string().min(32)).describe(
    'Verifies download URLs and tokens of visitors: the same as of the services',
  ),
  BLOB_URL: z.string().describe('Blob store: `file:///folder`, or `s3://bucket/prefix?region=…&endpoint=…`'),
  RATE_LIMIT: z.coerce.number().int().min(1).default(1000).describe('Requests of a token per minute, in each process'),
  VISITOR_RATE_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(60_000)
    .describe(
      'Requests per minute of all visitors of a site with the same claims, in each process; also lookups and events of an address, and events of a site',
    ),
  REPLY_CACHE_SIZE: z.coerce
    .number()
    .int()
    .min(0)
    .default(64 * 1024 * 1024)
    .describe('Bytes of memory for replies that visitors of sites share; 0 keeps none'),
  REFUSAL_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(100)
    .describe('Requests per minute of one address whose token is refused'),
  SIGN_IN_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(30)
    .describe(
      'Forms per minute that one address sends to the authorization pages, with tokens and codes of devices, and programs that it registers',
    ),
  BODY_LIMIT: z.coerce.number().int().min(1024).default(1_048_576).describe('Bytes of the body of a request'),
  REQUEST_TIMEOUT: z.coerce.number().int().min(100).default(15_000).describe('Milliseconds for one request'),
  UPLOAD_IDLE_TIMEOUT: z.coerce
    .number()
    .int()
    .min(100)
    .default(30_000)
    .describe('Milliseconds that an upload may pause'),
  TRUST_PROXY: z
    .string()
    .default('loopback')
    .describe(
      'Proxies whose X-Forwarded-For is trusted: addresses, CIDR blocks, or a name such as `loopback`, by commas',
    ),
  SHUTDOWN_GRACE: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Milliseconds for which a stop only says not ready, before requests are drained'),
})

/** Settings of the gateway. */
export type Config = z.output<typeof settings>

/** Reads them from the environment, or from what tests give instead. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(settings, env)
