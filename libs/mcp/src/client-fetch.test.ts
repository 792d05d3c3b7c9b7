import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOutgoing, type Outgoing } from '@recto/outgoing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { clientFetch, type ClientFetch } from './client-fetch.ts'

/** Replies with the status in the path: with 204 whole, else with a body that goes on until its connection is closed. */
const server = createServer((request, response) => {
  closed = once(response, 'close')
  const status = Number(request.url?.slice(1))
  response.writeHead(status)
  if (status === 204) response.end()
  else response.write('begun')
})
let closed: Promise<unknown> = Promise.resolve()
let outgoing: Outgoing
let fetch: ClientFetch
let url: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  url = `http://${host}`
  outgoing = createOutgoing({ allow: host, timeoutMs: 60_000, maxBytes: 0 })
  fetch = clientFetch(outgoing, { maxBytes: 100_000, timeoutMs: 60_000 })
})
afterAll(async () => {
  await outgoing.close()
  server.closeAllConnections()
  server.close()
})

it('A reply that is cancelled unread closes its connection', async () => {
  const response = await fetch(`${url}/200`)
  await response.body?.cancel()
  await closed
})

it('A reply that is cancelled while it is read closes its connection', async () => {
  const response = await fetch(`${url}/200`)
  const reader = response.body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('begun')
  const next = reader?.read()
  await reader?.cancel()
  expect(await next).toMatchObject({ done: true })
  await closed
})

it('The signal of a request ends its reply', async () => {
  const gone = new AbortController()
  const response = await fetch(`${url}/200`, { signal: gone.signal })
  gone.abort(new Error('gone'))
  await expect(response.text()).rejects.toThrow('gone')
  await closed
})

it('A reply whose status has no body is complete', async () => {
  const response = await fetch(`${url}/204`)
  expect([response.status, response.body]).toEqual([204, null])
})
