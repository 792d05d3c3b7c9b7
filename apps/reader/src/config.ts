import { processConfig, readConfig, webAddress } from '@recto/service'
import { z } from 'zod'

const bytes = z.coerce.number().int().min(0)
const seconds = z.coerce.number().int().min(0).max(31_536_000)

/** Milliseconds: a site that was closed is not shown for longer, with what else takes its time. */
const maxFresh = 20_000

/** The variables of the reader. */
export const settings = processConfig.extend({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3010).describe('Port of the sites; 0 selects a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 in a container'),
  PUBLIC_URL: webAddress.describe('Where callers reach the API: base of its download URLs'),
  API_URL: webAddress.optional().describe('Where the reader reaches the API, unless that is PUBLIC_URL'),
  SITES_URL: z
    .string()
    .regex(/^https?:\/\/\{basename\}\.[a-z0-9.-]+$/, 'must be a URL such as https://{basename}.docs.example')
    .default('https://{basename}.docs.localhost')
    .describe('URL of sites without a hostname of their own, with `{basename}`: the same as of publishing'),
  READER_HOSTS: z
    .string()
    .default('localhost,127.0.0.1,[::1]')
    .transform(hosts => hosts.split(',').map(host => host.trim().toLowerCase()))
    .describe('Hosts, by commas, below which sites are shown by the first part of the path, instead of by their host'),
  READER_SECRET: z.string().optional().describe('Verifies notifications of changes: the same as of publishing'),
  TRUST_PROXY: z
    .string()
    .default('loopback')
    .describe(
      'Proxies whose X-Forwarded-Host and X-Forwarded-Proto are trusted: addresses, CIDR blocks, or a name such as `loopback`, by commas',
    ),
  READER_FRESH: z.coerce
    .number()
    .int()
    .min(0)
    .default(500)
    .transform(milliseconds => Math.min(milliseconds, maxFresh))
    .describe('Milliseconds for which a site and the current revision of its spaces are not read again, 20 s at most'),
  READER_EDGE_AGE: seconds
    .default(0)
    .describe(
      'Seconds for which a cache in front of the reader (`Surrogate-Control`, `CDN-Cache-Control`) keeps what is for everybody, such as 86400; 0 for none. Publishing has to purge it (`EDGE_*`)',
    ),
  READER_EDGE_STALE: seconds
    .default(86_400)
    .describe('Seconds for which such a cache shows what is older than that while the reader fails'),
  READER_CACHE_SIZE: bytes.default(128 * 1024 * 1024).describe('Bytes of memory for revisions, documents and pages'),
  READER_KEPT_FOLDER: z
    .string()
    .optional()
    .describe('Folder of what is shown of public and unlisted sites while the API is away; nothing is kept without it'),
  READER_KEPT_SIZE: bytes.default(1024 * 1024 * 1024).describe('Bytes on disk for that; 0 keeps nothing'),
  READER_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .default(2)
    .describe('Worker threads: pages that are rendered at the same time'),
  READER_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .default(2_000)
    .describe('Requests that are answered at the same time, in each process; others get 503 and Retry-After at once'),
  READER_RENDER_TIMEOUT: z.coerce
    .number()
    .int()
    .min(100)
    .default(10_000)
    .describe('Milliseconds for one page to be rendered, after which it is not tried again for a minute'),
  READER_MCP_RATE: z.coerce
    .number()
    .int()
    .min(1)
    .default(300)
    .describe('Requests per minute of one address to the MCP servers of sites, in each process'),
  READER_ASK_RATE: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('Questions per minute of one address to the sites that answer some, in each process'),
  REQUEST_TIMEOUT: z.coerce.number().int().min(100).default(15_000).describe('Milliseconds for one request to the API'),
  SHUTDOWN_GRACE: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Milliseconds for which a stop only says not ready, before requests are drained'),
})

/** Settings of the reader. */
export type Config = z.output<typeof settings>

/** Reads them from the environment, or from what tests give instead. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(settings, env)
