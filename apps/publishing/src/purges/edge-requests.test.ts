import { expect, test } from '@jest/globals'
import { config } from '../shared/config.ts'
import { purgeRequest } from './edge-requests.ts'
import { edgesOf } from './edges.rules.ts'

const required = {
  NATS_URL: 'nats://a',
  DATABASE_URL_PUBLISHING: 'postgres://a',
  PUBLIC_URL: 'http://a',
  SIGNING_SECRET: 'x'.repeat(32),
}
const webhookSecret = `whsec_${'A'.repeat(32)}`
const varnish = { EDGE_VARNISH_URL: 'http://one:6081/', EDGE_VARNISH_TOKEN: 't' }
const fastly = { EDGE_FASTLY_SERVICE: 'aService', EDGE_FASTLY_TOKEN: 'f' }
const cloudflare = { EDGE_CLOUDFLARE_ZONE: 'aZone', EDGE_CLOUDFLARE_TOKEN: 'c' }
const webhook = { EDGE_WEBHOOK_URL: 'https://edge.test/purge', EDGE_WEBHOOK_SECRET: webhookSecret }

test.each<[string, Record<string, string>, object]>([
  [
    'Varnish',
    varnish,
    {
      url: 'http://one:6081',
      method: 'BAN',
      headers: { authorization: 'Bearer t', 'surrogate-key': 'site:a space:b' },
    },
  ],
  [
    'Fastly',
    fastly,
    {
      url: 'https://api.fastly.com/service/aService/purge',
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'fastly-key': 'f' },
      body: { surrogate_keys: ['site:a', 'space:b'] },
    },
  ],
  [
    'Cloudflare',
    cloudflare,
    {
      url: 'https://api.cloudflare.com/client/v4/zones/aZone/purge_cache',
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer c' },
      body: { tags: ['site:a', 'space:b'] },
    },
  ],
  [
    'a webhook',
    webhook,
    {
      url: 'https://edge.test/purge',
      method: 'POST',
      headers: expect.objectContaining({ 'webhook-id': 'id', 'webhook-signature': expect.stringMatching(/^v1,/) }),
      body: { type: 'edge.purge', timestamp: '2026-01-02T03:04:05.000Z', data: { tags: ['site:a', 'space:b'] } },
    },
  ],
])('the request to %s', (_title, settings, expected) => {
  const [edge] = edgesOf(config({ ...required, ...settings }))
  if (!edge) throw new Error('There is no edge')
  const at = new Date('2026-01-02T03:04:05Z')
  const { body, ...request } = purgeRequest(edge, ['site:a', 'space:b'], { id: 'id', at })
  expect({ ...request, ...(body && { body: JSON.parse(body.toString()) as unknown }) }).toEqual(expected)
})
