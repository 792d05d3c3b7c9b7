import { describe, expect, it, test } from '@jest/globals'
import { edgesBy, edgeSettings } from '../test/edge-settings.ts'
import { edgeTagOf, reasonOfEdge } from './edges.rules.ts'

const { varnish, fastly, cloudflare, webhook } = edgeSettings

test.each<[string, Record<string, string>, string[]]>([
  ['no settings', {}, []],
  ['two Varnish', varnish, ['varnish:http://one:6081', 'varnish:http://two:6081']],
  ['Fastly', fastly, ['fastly:aService']],
  ['Cloudflare', cloudflare, ['cloudflare:aZone']],
  ['a webhook', webhook, ['webhook:https://edge.test/purge']],
  [
    'several',
    { ...fastly, ...cloudflare, ...webhook },
    ['fastly:aService', 'cloudflare:aZone', 'webhook:https://edge.test/purge'],
  ],
])('of %s', (_title, settings, ids) => expect(edgesBy(settings).map(({ id }) => id)).toEqual(ids))

describe.each([varnish, fastly, cloudflare, webhook])('%j', settings => {
  const [[place, where = ''] = ['', ''], [secret, token = ''] = ['', '']] = Object.entries(settings)

  it('is refused without one of both, which the fault names', () => {
    expect(() => edgesBy({ [place]: where })).toThrow(`${place}: must be left out without ${secret}`)
    expect(() => edgesBy({ [secret]: token })).toThrow(`${secret}: must be left out without ${place}`)
  })

  it('is named in the words for who runs it, and its token is not', () => {
    const [edge] = edgesBy(settings)
    const reasons = [301, 400, 401, 403, 404, 405].map(status => edge && reasonOfEdge(edge, status))
    expect(reasons.filter(reason => reason?.includes(secret))).toHaveLength(2)
    expect(reasons.filter(reason => reason?.includes(place))).toHaveLength(3)
    if (token.length > 1) expect(reasons.join()).not.toContain(token)
  })
})

test.each(['ftp://a.test', 'a.test', 'http://a.test,'])('EDGE_VARNISH_URL %s is refused', EDGE_VARNISH_URL =>
  expect(() => edgesBy({ ...varnish, EDGE_VARNISH_URL })).toThrow('EDGE_VARNISH_URL: must be http or https URLs'),
)

test.each([
  ['EDGE_VARNISH_TOKEN', { ...varnish, EDGE_VARNISH_TOKEN: 'a\nb' }],
  ['EDGE_FASTLY_SERVICE', { ...fastly, EDGE_FASTLY_SERVICE: '../other' }],
  ['EDGE_CLOUDFLARE_ZONE', { ...cloudflare, EDGE_CLOUDFLARE_ZONE: 'a/b' }],
  ['EDGE_WEBHOOK_SECRET', { ...webhook, EDGE_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' }],
])('%s that is none is refused', (name, settings) => expect(() => edgesBy(settings)).toThrow(`${name}: must be`))

test.each([
  ['site:a', 'site:a'],
  ['space:a', 'space:a'],
  ['organization:a:openapi:toys', 'organization:a'],
])('%s is %s at an edge', (tag, expected) => expect(edgeTagOf(tag)).toBe(expected))
