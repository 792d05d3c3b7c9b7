import { expect, test } from '@jest/globals'
import { edgesBy, edgeSettings } from '../test/edge-settings.ts'
import { purgeRequest } from './edge-requests.ts'

const { varnish, fastly, cloudflare, webhook } = edgeSettings

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
  const [edge] = edgesBy(settings)
  if (!edge) throw new Error('There is no edge')
  const at = new Date('2026-01-02T03:04:05Z')
  const { body, ...request } = purgeRequest(edge, ['site:a', 'space:b'], { id: 'id', at })
  expect({ ...request, ...(body && { body: JSON.parse(body.toString()) as unknown }) }).toEqual(expected)
})
