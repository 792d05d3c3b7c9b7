import { config } from '../shared/config.ts'
import { edgesOf, type Edge } from '../purges/edges.rules.ts'

/** Settings of one edge of each kind, and of two Varnish. */
export const edgeSettings = {
  varnish: { EDGE_VARNISH_URL: 'http://one:6081/, http://two:6081', EDGE_VARNISH_TOKEN: 't' },
  fastly: { EDGE_FASTLY_SERVICE: 'aService', EDGE_FASTLY_TOKEN: 'f' },
  cloudflare: { EDGE_CLOUDFLARE_ZONE: 'aZone', EDGE_CLOUDFLARE_TOKEN: 'c' },
  webhook: { EDGE_WEBHOOK_URL: 'https://edge.test/purge', EDGE_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}` },
}

const required = {
  NATS_URL: 'nats://a',
  DATABASE_URL_PUBLISHING: 'postgres://a',
  PUBLIC_URL: 'http://a',
  SIGNING_SECRET: 'x'.repeat(32),
}

/** The edges of a service with these settings; throws as the service does where they are faulty. */
export function edgesBy(settings: Record<string, string>): Edge[] {
  return edgesOf(config({ ...required, ...settings }))
}
