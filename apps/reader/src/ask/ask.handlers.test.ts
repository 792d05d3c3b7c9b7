import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createApiClient } from '../api/api-client.ts'
import { createReads } from '../api/reads.ts'
import { translator } from '../i18n/index.ts'
import type { SiteRequest, SiteTools } from '../layout/site-request.ts'
import { createBodies } from '../loaders/read-body.ts'
import type { PageResponse } from '../responses/page-response.ts'
import { askFeature } from './ask.handlers.ts'

const document = { object: 'document', data: {}, nodes: [] }
const answer = { answer: { document }, followupQuestions: [], sources: [] }
const event = `data: ${JSON.stringify({ type: 'answer', answer })}\n\n`

/** How the API answers the next questions, and how many it got. */
let reply = (response: ServerResponse): void => void response.end(event)
let questions = 0
const server = createServer((_request, response) => {
  questions += 1
  reply(response)
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  reply = response => void response.end(event)
  questions = 0
})

const customization = {
  ai: { mode: 'search' },
  externalLinks: { target: 'self' },
  pageActions: { externalAI: false },
}
const site = {
  path: '~recto/ask',
  lookup: {
    organization: 'o',
    site: 's',
    siteSpace: 'ss',
    apiToken: 't',
    canonicalUrl: 'https://docs.test/~recto/ask',
  },
  published: { site: { agentsContext: 'included' }, customizations: { site: customization, siteSpaces: {} } },
  links: { own: '/~recto/' },
  isPreview: false,
}
const view = { site, customization, t: translator('en'), locale: 'en' }

function aPage(perMinute = 100) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const api = createApiClient({ url, publicUrl: url, timeout: 60_000 })
  const reads = createReads(api, { freshFor: 1, maxBytes: 1_000_000 })
  const render = () => Promise.resolve({ html: '<p>So.</p>', outline: [], hasMath: false, updates: [] })
  const bodies = createBodies(reads, { render, maxBytes: 1_000 })
  const feature = askFeature({ perMinute })
  return (question: string, more: Partial<SiteRequest> = {}) =>
    feature(
      {
        site,
        view,
        method: 'POST',
        body: new URLSearchParams({ q: question }).toString(),
        headers: { accept: 'text/event-stream' },
        origin: 'https://docs.test',
        visitorAddress: '192.0.2.1',
        ...more,
      } as unknown as SiteRequest,
      { api, reads, bodies } as SiteTools,
    ) as Promise<PageResponse>
}

async function textOf({ body }: PageResponse): Promise<string> {
  return body instanceof ReadableStream ? new Response(body).text() : String(body)
}

it('A question is answered with events, the last one of which has the end of the answer', async () => {
  const response = await aPage()('How so?')
  const events = (await textOf(response)).trim().split('\n\n')
  expect(events.map(each => (JSON.parse(each.slice('data: '.length)) as { isLast: boolean }).isLast)).toEqual([
    false,
    true,
  ])
  expect([response.status, response.headers['cache-control']]).toEqual([200, 'private, no-store, no-transform'])
})

it.each([
  [409, 409, 'Questions are not answered here'],
  [429, 429, 'There are too many questions'],
  [503, 503, 'The answer could not be written'],
  [400, 503, 'The answer could not be written'],
])('A refusal of the API with %d is told with %d', async (status, expected, message) => {
  reply = response => void response.writeHead(status).end('{}')
  const response = await aPage()('How so?')
  expect([response.status, await textOf(response)]).toEqual([expected, expect.stringContaining(message)])
})

it.each([401, 403, 404])(
  'A refusal of the API with %d is that of the site, and no matter of the question',
  async status => {
    reply = response => void response.writeHead(status).end('{}')
    await expect(aPage()('How so?')).rejects.toMatchObject({ status })
  },
)

it('An answer that breaks off keeps what was written, and says so', async () => {
  reply = response => {
    response.write(event)
    setImmediate(() => response.destroy())
  }
  const text = await textOf(await aPage()('How so?'))
  expect(text).toContain('The answer could not be written')
  expect(text).toContain('"isLast":true')
})

it('A question above the limit is told the limit, and reaches no engine', async () => {
  const ask = aPage()
  const short = await ask('x'.repeat(512))
  const long = await ask('x'.repeat(513))
  expect([short.status, long.status, questions]).toEqual([200, 400, 1])
  expect(await textOf(long)).toContain('at most 512 characters')
})

it('An address asks so often in a minute, and one that the reader sends again counts once', async () => {
  const ask = aPage(2)
  const responses = [await ask('a'), await ask('b', { isRepeated: true }), await ask('c'), await ask('d')]
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  expect(Number(responses[3]?.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ask('e', { visitorAddress: '192.0.2.2' })).status).toBe(200)
})

it('Another origin asks nothing', async () => {
  const headers = { accept: 'text/event-stream', origin: 'https://elsewhere.test' }
  await expect(aPage()('How so?', { headers })).rejects.toMatchObject({ status: 403 })
  expect(questions).toBe(0)
})

it('The request of the API ends when the visitor goes', async () => {
  const closed = new Promise<void>(resolve => {
    reply = response => {
      response.once('close', resolve)
      response.write(event)
    }
  })
  const { body } = await aPage()('How so?')
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  await reader.cancel()
  await closed
})
