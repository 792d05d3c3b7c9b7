import { databaseServiceConfig, readConfig } from '@recto/service'
import { isIP } from 'node:net'
import { z } from 'zod'
import { checkEdgePairs, edgeSettings } from './edge-settings.ts'

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
  READER_URL: z
    .string()
    .transform(urls => urls.split(',').map(url => url.trim().replace(/\/+$/, '')))
    .refine(urls => urls.every(isWebAddress), 'must be http or https URLs, joined by commas')
    .default([])
    .describe('URLs of the readers of sites, by commas: previews lead to the first, all are notified of changes'),
  READER_SECRET: z.string().optional().describe('Signs the notifications of changes; the readers have the same'),
  READER_PURGE_HOURS: z.coerce
    .number()
    .min(1)
    .default(24)
    .describe('Hours for which a change is sent again to a reader that fails'),
  ...edgeSettings,
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

const checked = settings
  .refine(({ READER_URL, READER_SECRET }) => READER_SECRET === undefined || READER_URL.length > 0, {
    path: ['READER_SECRET'],
    message: 'must be left out without READER_URL',
  })
  .superRefine(checkEdgePairs)

function isServerAddress(server: string): boolean {
  return isIP(server.replace(/^\[(.+)\](:\d+)?$/, '$1')) !== 0 || isIP(server.replace(/:\d+$/, '')) === 4
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** Settings of the publishing service. */
export type Config = z.output<typeof settings>

/** Reads the settings from the environment, or from `env` in tests. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(checked, env)
