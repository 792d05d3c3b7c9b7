import { signedHeaders } from '@recto/outgoing'
import type { Edge } from './edges.rules.ts'

/** A request to an edge. */
export interface EdgeRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: Buffer
}

/**
 * The request that has an edge drop what it keeps under these tags. It drops: an edge that showed the old answer once more while it asks for
 * the new one, or when the reader is away, would show what was closed.
 */
export function purgeRequest(
  { kind, url, secret }: Edge,
  tags: readonly string[],
  { id, at }: { id: string; at: Date },
): EdgeRequest {
  switch (kind) {
    case 'varnish':
      return { url, method: 'BAN', headers: { authorization: `Bearer ${secret}`, 'surrogate-key': tags.join(' ') } }
    case 'fastly':
      return jsonRequest(url, { 'fastly-key': secret }, { surrogate_keys: tags })
    case 'cloudflare':
      return jsonRequest(url, { authorization: `Bearer ${secret}` }, { tags })
    case 'webhook': {
      const message = { type: 'edge.purge', timestamp: at.toISOString(), data: { tags } }
      return jsonRequest(url, signedHeaders({ id, at, body: JSON.stringify(message) }, [secret]), message)
    }
  }
}

function jsonRequest(url: string, headers: Record<string, string>, body: object): EdgeRequest {
  return {
    url,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  }
}
