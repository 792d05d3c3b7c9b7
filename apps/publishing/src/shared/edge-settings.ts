import { z } from 'zod'

const origin = z
  .string()
  .refine(isWebAddress, 'must be an http or https URL')
  .transform(url => url.replace(/\/+$/, ''))
const name = z.string().regex(/^[\w-]+$/, 'must be letters, digits, _ and -')
const secret = z.string().regex(/^[\x21-\x7e]+$/, 'must be of visible ASCII characters')

/** The variables of edges: caches in front of readers, which are told what changed. */
export const edgeSettings = {
  EDGE_VARNISH_URL: z
    .string()
    .transform(urls => urls.split(',').map(url => url.trim().replace(/\/+$/, '')))
    .refine(urls => urls.every(isWebAddress), 'must be http or https URLs, joined by commas')
    .default([])
    .describe('URLs of Varnish servers in front of readers, by commas: each is sent a `BAN` of what changed'),
  EDGE_VARNISH_TOKEN: secret.optional().describe('What each Varnish takes a `BAN` by: its own `RECTO_EDGE_TOKEN`'),
  EDGE_FASTLY_SERVICE: name.optional().describe('Id of the Fastly service in front of readers'),
  EDGE_FASTLY_TOKEN: secret.optional().describe('Token of Fastly that may purge that service (`purge_select`)'),
  EDGE_FASTLY_URL: origin.default('https://api.fastly.com').describe('Where the API of Fastly is'),
  EDGE_CLOUDFLARE_ZONE: name.optional().describe('Id of the Cloudflare zone in front of readers'),
  EDGE_CLOUDFLARE_TOKEN: secret.optional().describe('Token of Cloudflare that may purge the cache of that zone'),
  EDGE_CLOUDFLARE_URL: origin
    .default('https://api.cloudflare.com/client/v4')
    .describe('Where the API of Cloudflare is'),
  EDGE_WEBHOOK_URL: origin.optional().describe('URL of a program that purges any other edge: it is sent the tags'),
  EDGE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 bytes in Base64')
    .optional()
    .describe('Signs what that program is sent, as Standard Webhooks says: `whsec_` and bytes in Base64'),
}

/** Settings that are of no use without each other. */
const pairs = [
  ['EDGE_VARNISH_URL', 'EDGE_VARNISH_TOKEN'],
  ['EDGE_FASTLY_SERVICE', 'EDGE_FASTLY_TOKEN'],
  ['EDGE_CLOUDFLARE_ZONE', 'EDGE_CLOUDFLARE_TOKEN'],
  ['EDGE_WEBHOOK_URL', 'EDGE_WEBHOOK_SECRET'],
] as const

/** Settings of edges as they are read. */
export type EdgeSettings = z.output<z.ZodObject<typeof edgeSettings>>

/** Refuses half of a pair, with the name of the other half. */
export function checkEdgePairs(settings: EdgeSettings, context: z.RefinementCtx): void {
  for (const [one, other] of pairs) {
    const isSet = (setting: typeof one | typeof other) => (settings[setting]?.length ?? 0) > 0
    if (isSet(one) === isSet(other)) continue
    const [present, missing] = isSet(one) ? [one, other] : [other, one]
    context.addIssue({ code: 'custom', path: [present], message: `must be left out without ${missing}` })
  }
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
