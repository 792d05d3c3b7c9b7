import { databaseServiceConfig, readConfig, webAddress, webAddresses } from '@recto/service'
import { isIP } from 'node:net'
import { z } from 'zod'

const name = z.string().regex(/^[\w-]+$/, 'must be letters, digits, _ and -')
const secret = z.string().regex(/^[\x21-\x7e]+$/, 'must be of visible ASCII characters')

/** The variables of the publishing service. */
export const settings = databaseServiceConfig.extend({
  DATABASE_URL_PUBLISHING: z
    .string()
    .describe('The database of the service: `postgres://user:password@host:port/name`'),
  SITES_URL: z
    .string()
    .regex(/^https?:\/\/\{basename\}\.[a-z0-9.-]+$/, 'must be a URL such as https://{basename}.docs.example')
    .default('https://{basename}.docs.localhost')
    .describe('URL of sites without a hostname of their own, with `{basename}`'),
  HOSTNAME_PROOF: z
    .enum(['off', 'dns'])
    .default('off')
    .describe(
      'Whether a hostname of a site has to be proven by a DNS record before the site is shown there (`dns`), or belongs to who sets it first (`off`), for installations whose organizations trust each other',
    ),
  DNS_SERVERS: z
    .string()
    .default('')
    .transform(servers => servers.split(',').flatMap(server => server.trim() || []))
    .refine(servers => servers.every(isServerAddress), 'must be IP addresses, with a port or without, joined by commas')
    .describe('DNS servers that are asked for records of hostnames, by commas; those of the system unless given'),
  OUTGOING_ALLOW: z
    .string()
    .default('')
    .describe('Private addresses that may be reached, by commas: hosts, host:port and CIDR blocks; none unless named'),
  READER_URL: webAddresses
    .default([])
    .describe('URLs of the readers of sites, by commas: previews lead to the first, all are notified of changes'),
  READER_SECRET: z.string().optional().describe('Signs the notifications of changes; the readers have the same'),
  READER_PURGE_HOURS: z.coerce
    .number()
    .min(1)
    .default(24)
    .describe('Hours for which a change is sent again to a reader that fails'),
  EDGE_VARNISH_URL: webAddresses
    .default([])
    .describe('URLs of Varnish servers in front of readers, by commas: each is sent a `BAN` of what changed'),
  EDGE_VARNISH_TOKEN: secret.optional().describe('What each Varnish takes a `BAN` by: its own `RECTO_EDGE_TOKEN`'),
  EDGE_FASTLY_SERVICE: name.optional().describe('Id of the Fastly service in front of readers'),
  EDGE_FASTLY_TOKEN: secret.optional().describe('Token of Fastly that may purge that service (`purge_select`)'),
  EDGE_FASTLY_URL: webAddress.default('https://api.fastly.com').describe('Where the API of Fastly is'),
  EDGE_CLOUDFLARE_ZONE: name.optional().describe('Id of the Cloudflare zone in front of readers'),
  EDGE_CLOUDFLARE_TOKEN: secret.optional().describe('Token of Cloudflare that may purge the cache of that zone'),
  EDGE_CLOUDFLARE_URL: webAddress
    .default('https://api.cloudflare.com/client/v4')
    .describe('Where the API of Cloudflare is'),
  EDGE_WEBHOOK_URL: webAddress.optional().describe('URL of a program that purges any other edge: it is sent the tags'),
  EDGE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 bytes in Base64')
    .optional()
    .describe('Signs what that program is sent, as Standard Webhooks says: `whsec_` and bytes in Base64'),
  INSIGHTS_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(90)
    .describe('Days for which counts of events on sites, and feedback of AI agents, are kept'),
  INSIGHTS_COUNTERS: z.coerce
    .number()
    .int()
    .min(1)
    .default(20_000)
    .describe('Counts of events that are kept of one site and day'),
})

/** Settings that are of no use without each other. */
const pairs = [
  ['EDGE_VARNISH_URL', 'EDGE_VARNISH_TOKEN'],
  ['EDGE_FASTLY_SERVICE', 'EDGE_FASTLY_TOKEN'],
  ['EDGE_CLOUDFLARE_ZONE', 'EDGE_CLOUDFLARE_TOKEN'],
  ['EDGE_WEBHOOK_URL', 'EDGE_WEBHOOK_SECRET'],
] as const

const checked = settings
  .refine(({ READER_URL, READER_SECRET }) => READER_SECRET === undefined || READER_URL.length > 0, {
    path: ['READER_SECRET'],
    message: 'must be left out without READER_URL',
  })
  .superRefine(checkEdgePairs)

function isServerAddress(server: string): boolean {
  return isIP(server.replace(/^\[(.+)\](:\d+)?$/, '$1')) !== 0 || isIP(server.replace(/:\d+$/, '')) === 4
}

/** Refuses half of a pair, with the name of the other half. */
function checkEdgePairs(settings: EdgeSettings, context: z.RefinementCtx): void {
  for (const [one, other] of pairs) {
    const isSet = (setting: typeof one | typeof other) => (settings[setting]?.length ?? 0) > 0
    if (isSet(one) === isSet(other)) continue
    const [present, missing] = isSet(one) ? [one, other] : [other, one]
    context.addIssue({ code: 'custom', path: [present], message: `must be left out without ${missing}` })
  }
}

/** Settings of the publishing service. */
export type Config = z.output<typeof settings>

/** Settings of edges: caches in front of readers, which are told what changed. */
export type EdgeSettings = Pick<Config, Extract<keyof Config, `EDGE_${string}`>>

/** Reads the settings from the environment, or from `env` in tests. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(checked, env)
