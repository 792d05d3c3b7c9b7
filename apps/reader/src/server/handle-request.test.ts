import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createApiClient } from '../api/api-client.ts'
import { createReads } from '../api/reads.ts'
import type { Assets } from '../assets/assets.ts'
import { createBodies } from '../loaders/read-body.ts'
import { handleRequest } from './handle-request.ts'

/** Tokens that the API accepts no more. */
let ended = new Set<string>()
/** Tokens that lookups answer with, one after the other. */
let tokens: string[] = []
/** How often the API was asked for a site. */
let lookups = 0

/** An API with a site that shows nothing; it refuses lookups once there is no token left. */
const server = createServer((request, response) => {
  const reply = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
  if (request.url === '/v1/urls/published') {
    lookups += 1
    const apiToken = tokens.length > 1 ? tokens.shift() : tokens[0]
    if (apiToken === undefined) return reply(401, { error: { message: 'No such preview' } })
    return reply(200, { organization: 'o', site: 's', siteSpace: 'ss', space: 'sp', pathname: '/', apiToken })
  }
  if (ended.has(request.headers.authorization ?? '')) return reply(401, { error: { message: 'The token has ended' } })
  return reply(200, { site: {}, structure: { type: 'siteSpaces', structure: [] }, revision: 'r' })
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())
beforeEach(() => {
  ended = new Set()
  tokens = ['first', 'second']
  lookups = 0
})

const noAssets: Assets = {
  at: () => Promise.resolve(undefined),
  urls: () => {
    throw new Error('no page is shown')
  },
}

function aReader(): (change?: { url?: string; headers?: Record<string, string> }) => Promise<number> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const api = createApiClient({ url, publicUrl: url, timeout: 60_000 })
  const reads = createReads(api, { freshFor: 3_600_000, maxBytes: 1_000_000 })
  const bodies = createBodies(reads, { render: () => Promise.reject(new Error('no page is shown')), maxBytes: 1_000 })
  const parts = {
    assets: noAssets,
    tools: { reads, bodies, api },
    features: {},
    mcp: () => Promise.reject(new Error('no program asks')),
    edge: { age: 0, stale: 0 },
    addresses: { sitesUrl: 'https://{basename}.docs.example', readerHosts: [] },
  }
  const request = { method: 'GET', host: 'a.docs.example', protocol: 'https', address: undefined, url: '/' }
  const defaults = { ...request, headers: {}, acceptsGzip: false, prefersMarkdown: false, body: '' }
  return async change => (await handleRequest({ ...defaults, ...change }, parts)).status
}

it('A visitor whose token a change of the site has ended is looked up again, and reads on', async () => {
  ended.add('Bearer first')
  expect([await aReader()(), lookups]).toEqual([404, 2])
})

it('A visitor is asked to come again when every new token is refused, too', async () => {
  tokens = ['first']
  ended.add('Bearer first')
  expect([await aReader()(), lookups]).toEqual([503, 4])
})

it('A lookup that is refused is not repeated', async () => {
  tokens = []
  expect([await aReader()(), lookups]).toEqual([401, 1])
})

it.each(['~recto/sign-in', '~recto/sign-in/callback', '~recto/sign-out', '~gitbook/auth/logout'])(
  'An image at %s signs nobody in or out, and asks the API for nothing',
  async path => {
    const headers = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' }
    expect([await aReader()({ url: `/help/${path}`, headers }), lookups]).toEqual([403, 0])
  },
)
