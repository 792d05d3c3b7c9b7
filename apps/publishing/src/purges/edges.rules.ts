import type { EdgeSettings } from '../shared/config.ts'

/** A cache in front of readers. */
export interface Edge {
  /** Its kind and what the kind knows it by. */
  id: string
  kind: 'varnish' | 'fastly' | 'cloudflare' | 'webhook'
  /** Where it is told what changed. */
  url: string
  /** The token or secret that it takes requests by. */
  secret: string
  /** Tags of one request, as many as its API takes. */
  tagsAtOnce: number
  /** The settings that say where it is and what it takes requests by, for who runs it. */
  settings: { place: string; secret: string }
}

/** The edges that settings name. */
export function edgesOf(settings: EdgeSettings): Edge[] {
  const { EDGE_VARNISH_TOKEN, EDGE_FASTLY_TOKEN, EDGE_CLOUDFLARE_TOKEN, EDGE_WEBHOOK_SECRET } = settings
  const { EDGE_FASTLY_SERVICE: service, EDGE_CLOUDFLARE_ZONE: zone, EDGE_WEBHOOK_URL: webhook } = settings
  const edges = [
    ...settings.EDGE_VARNISH_URL.map(url => edgeOf('varnish', url, { url, secret: EDGE_VARNISH_TOKEN })),
    edgeOf('fastly', service, {
      url: `${settings.EDGE_FASTLY_URL}/service/${service}/purge`,
      secret: EDGE_FASTLY_TOKEN,
    }),
    edgeOf('cloudflare', zone, {
      url: `${settings.EDGE_CLOUDFLARE_URL}/zones/${zone}/purge_cache`,
      secret: EDGE_CLOUDFLARE_TOKEN,
    }),
    edgeOf('webhook', webhook, { url: webhook ?? '', secret: EDGE_WEBHOOK_SECRET }),
  ]
  return edges.filter(edge => edge !== undefined)
}

/** Tags of one request: what Fastly and Cloudflare document, and what the headers of a Varnish with its defaults have room for. */
const tagsAtOnce = { varnish: 100, fastly: 256, cloudflare: 100, webhook: 500 }

const settingsOf = {
  varnish: { place: 'EDGE_VARNISH_URL', secret: 'EDGE_VARNISH_TOKEN' },
  fastly: { place: 'EDGE_FASTLY_SERVICE', secret: 'EDGE_FASTLY_TOKEN' },
  cloudflare: { place: 'EDGE_CLOUDFLARE_ZONE', secret: 'EDGE_CLOUDFLARE_TOKEN' },
  webhook: { place: 'EDGE_WEBHOOK_URL', secret: 'EDGE_WEBHOOK_SECRET' },
}

function edgeOf(
  kind: Edge['kind'],
  name: string | undefined,
  { url, secret }: { url: string; secret: string | undefined },
): Edge | undefined {
  if (name === undefined || secret === undefined) return undefined
  return { id: `${kind}:${name}`, kind, url, secret, tagsAtOnce: tagsAtOnce[kind], settings: settingsOf[kind] }
}

/** The tag of a reader's cache as answers at edges have it: what shows a specification is known there by its organization alone. */
export function edgeTagOf(tag: string): string {
  return tag.replace(/:openapi:.*$/, '')
}

/** Why an edge refuses a request, in words for who runs it. */
export function reasonOfEdge({ settings: { place, secret } }: Edge, status: number): string {
  if (status === 401 || status === 403) return `it does not take ${secret}`
  if (status >= 300 && status < 400) return `${place} leads to a redirect`
  return status === 404 || status === 405 ? `nothing purges at ${place}` : `it answers with status ${status}`
}
