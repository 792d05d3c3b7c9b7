import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from '@jest/globals'
import { createApiClient, type ApiClient } from './api-client.ts'

let server: Server

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

/** An API that does this with each request, in their order, and afterwards answers `{}`. */
async function anApi(
  ...faults: ('break' | 'wait' | 'fail' | 'answer')[]
): Promise<{ api: ApiClient; requests: string[]; url: string }> {
  const requests: string[] = []
  server = createServer(({ method, url = '' }, response) => {
    requests.push(`${method} ${url}`)
    const fault = faults[requests.length - 1]
    if (fault === 'break') response.destroy()
    else if (fault !== 'wait') response.writeHead(fault === 'fail' ? 503 : 200).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { api: createApiClient({ url, publicUrl: url, timeout: 1_000 }), requests, url }
}

const lookup = { method: 'POST', path: '/urls/published', body: {} } as const

it('reads once more when the connection breaks, as a gateway that ends leaves it', async () => {
  const { api, requests, url } = await anApi('break', 'answer', 'break')
  await expect(api.read(lookup)).resolves.toEqual({ text: '{}' })
  await expect(api.download(`${url}/files/a`, {}).then(({ status }) => status)).resolves.toBe(200)
  expect(requests).toEqual([...Array<string>(2).fill('POST /v1/urls/published'), 'GET /files/a', 'GET /files/a'])
})

it.each(['wait', 'fail'] as const)(
  'reads no second time when the API answers late, or that it cannot: %s',
  async fault => {
    const { api, requests } = await anApi(fault)
    await expect(api.read(lookup)).rejects.toMatchObject({ status: 503 })
    expect(requests).toHaveLength(1)
  },
)

it('says that the API is not there when it breaks twice', async () => {
  const { api, requests } = await anApi('break', 'break')
  await expect(api.read(lookup)).rejects.toMatchObject({ status: 503 })
  expect(requests).toHaveLength(2)
})

it('sends what may change something once', async () => {
  const { api, requests } = await anApi('break')
  await expect(api.send(lookup)).rejects.toMatchObject({ status: 503 })
  expect(requests).toHaveLength(1)
})

/** An API that sends events, as many as there are, and leaves the stream open, ends it, or breaks it off. */
async function aStream(
  events: object[],
  end: 'open' | 'end' | 'break',
): Promise<{ api: ApiClient; closed: Promise<unknown> }> {
  const { promise, resolve } = deferred()
  server = createServer((_request, response) => {
    response.once('close', resolve)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`)
    if (end === 'end') response.end()
    if (end === 'break') setImmediate(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { api: createApiClient({ url, publicUrl: url, timeout: 60_000 }), closed: promise }
}

function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>(settle => (resolve = settle))
  return { promise, resolve }
}

it('reads the events of a stream until its end', async () => {
  const { api } = await aStream([{ at: 1 }, { at: 2 }], 'end')
  const events: object[] = []
  for await (const event of api.events<object>(lookup)) events.push(event)
  expect(events).toEqual([{ at: 1 }, { at: 2 }])
})

it('says that a stream has broken off', async () => {
  const { api } = await aStream([{ at: 1 }], 'break')
  const events = api.events<object>(lookup)
  await events.next().catch(() => undefined)
  await expect(events.next()).rejects.toMatchObject({ status: 503 })
})

it.each(['who reads it stops', 'its signal aborts'])('ends the request of a stream when %s', async way => {
  const { api, closed } = await aStream([{ at: 1 }], 'open')
  const gone = new AbortController()
  const events = api.events<object>({ ...lookup, signal: gone.signal })
  await events.next()
  if (way === 'its signal aborts') {
    const next = events.next()
    gone.abort()
    await expect(next).rejects.toMatchObject({ status: 503 })
  } else await events.return()
  await closed
})
