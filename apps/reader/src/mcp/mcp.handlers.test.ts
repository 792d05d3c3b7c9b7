import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { createApiClient } from '../api/api-client.ts'
import { createReads } from '../api/reads.ts'
import { createBodies } from '../loaders/read-body.ts'
import { createMcp } from './mcp.handlers.ts'

/** Searches that the API has not answered, and how many of them were given up. */
const searches: ServerResponse[] = []
let abandoned = 0

const siteSpace = {
  id: 'ss',
  title: 'Docs',
  space: { id: 'sp' },
  urls: { published: 'https://a.docs.example/' },
  default: true,
}
const token = `a.${Buffer.from('{}').toString('base64url')}.c`
const customization = { ai: { mode: 'search' }, pageActions: { mcp: true }, internationalization: { locale: 'en' } }
const replies: Record<string, object> = {
  '/v1/urls/published': {
    organization: 'o',
    site: 's',
    siteSpace: 'ss',
    space: 'sp',
    pathname: '/mcp',
    basePath: '/',
    siteBasePath: '/',
    canonicalUrl: 'https://a.docs.example/mcp',
    apiToken: token,
  },
  '/v1/orgs/o/sites/s/published': {
    site: { title: 'Docs', visibility: 'public' },
    structure: { type: 'siteSpaces', structure: [siteSpace] },
    customizations: { site: customization, siteSpaces: {} },
  },
  '/v1/spaces/sp': { id: 'sp', revision: 'r' },
  '/v1/spaces/sp/revisions/r': { id: 'r', pages: [], files: [] },
  '/v1/spaces/sp/revisions/r/page/there': { id: 'there', title: 'There', path: 'there' },
}
const sources = ['there', 'gone'].map(page => ({ type: 'page', page, revision: 'r', space: 'sp', sections: [] }))
const answer = { answer: { markdown: 'So.' }, followupQuestions: [], sources }
/** An API with a site of which searches take for ever, and whose answers are also from a page that cannot be read. */
const server = createServer((request, response) => {
  const path = request.url?.split('?')[0] ?? ''
  const reply = replies[path]
  if (reply) return void response.end(JSON.stringify(reply))
  if (path.endsWith('/ask')) return void response.end(`data: ${JSON.stringify({ type: 'answer', answer })}\n\n`)
  if (path.endsWith('/gone')) return void response.writeHead(404).end('{}')
  if (!path.endsWith('/search')) return void response.writeHead(204).end()
  searches.push(response)
  response.on('close', () => (abandoned += 1))
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function aServer(perMinute = 1_000) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const api = createApiClient({ url, publicUrl: url, timeout: 600_000 })
  const reads = createReads(api, { freshFor: 3_600_000, maxBytes: 1_000_000 })
  const bodies = createBodies(reads, { render: () => Promise.reject(new Error('no page is shown')), maxBytes: 1_000 })
  const mcp = createMcp({ perMinute })
  return (body: object, signal?: AbortSignal) =>
    mcp(
      {
        address: { site: 'https://a.docs.example', mountPath: '', path: '/mcp', isPreview: false },
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        query: '',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
        visitorAddress: '192.0.2.1',
        origin: 'https://a.docs.example',
        signal,
        renew: false,
      },
      { reads, bodies, api },
    )
}
const search = { method: 'tools/call', params: { name: 'searchDocumentation', arguments: { query: 'toys' } } }

it('A search whose client has gone ends at the API, unless somebody else waits for it', async () => {
  const ask = aServer()
  const clients = [new AbortController(), new AbortController()]
  const answers = clients.map(({ signal }) => ask(search, signal))
  await eventually(() => expect(searches).toHaveLength(1))
  clients[0]?.abort()
  expect(await answers[0]).toMatchObject({ status: 408 })
  expect(abandoned).toBe(0)
  clients[1]?.abort()
  expect(await answers[1]).toMatchObject({ status: 408 })
  await eventually(() => expect(abandoned).toBe(1))
})

it('A source of an answer that cannot be read is left out, and the answer stays', async () => {
  const question = { method: 'tools/call', params: { name: 'askQuestion', arguments: { question: 'How so?' } } }
  const { body } = await aServer()(question)
  const { result } = JSON.parse(String(body)) as { result: { structuredContent: unknown } }
  expect(result.structuredContent).toEqual({
    answer: 'So.',
    sources: [{ title: 'There', address: 'https://a.docs.example/there', revision: 'r' }],
    followupQuestions: [],
  })
})

it('An address that has sent too many requests in a minute is told when to come again', async () => {
  const ask = aServer(1)
  expect(await ask({ method: 'tools/list' })).toMatchObject({ status: 200 })
  await expect(ask({ method: 'tools/list' })).rejects.toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
  })
})
