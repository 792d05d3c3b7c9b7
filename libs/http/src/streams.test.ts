import { once } from 'node:events'
import { request as send, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { anEdge, answer, hashToken, http, toys } from './test/edge.ts'

let edge: Awaited<ReturnType<typeof anEdge>>
let idle: number
const token = 'a-token'
const text = 'ä'.repeat(5_000_000)
const expected = Buffer.from(JSON.stringify({ text }))
const warnings: string[] = []
const keepWarning = (warning: Error) => void warnings.push(warning.message)

beforeAll(async () => {
  process.on('warning', keepWarning)
  edge = await anEdge({ maxPayload: 64 * 1024 })
  edge.holders.set(hashToken(token), { scopes: ['read', 'write'] })
  const large = async () => ({ text })
  answer(edge.toyBus, toys, {
    getToy: large,
    getModel: large,
    listToys: large,
    putToy: large,
    deleteToy: large,
    breakToys: large,
  })
  await edge.toyBus.connection.flush()
  await http(edge.port, { path: '/v1/toys/a', token })
  await eventually(() => expect(held()).toBe(Object.keys(toys).length))
  idle = held()
})
beforeEach(() => void (edge.logged.length = 0))
afterAll(async () => {
  process.off('warning', keepWarning)
  await edge.stop()
})

/** The service's subscriptions: its rows, and replies that are still being read. */
function held(): number {
  return (
    edge.toyBus.connection as unknown as { protocol: { subscriptions: { subs: Map<number, { subject: string }> } } }
  ).protocol.subscriptions.subs.size
}

async function open(): Promise<IncomingMessage> {
  const outgoing = send({
    host: '127.0.0.1',
    port: edge.port,
    path: '/v1/toys/a',
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  })
  outgoing.end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return incoming
}

it('a large reply reaches the client completely and with its length', async () => {
  const reply = await http(edge.port, { path: '/v1/toys/a', token })
  expect([reply.status, reply.headers['content-length'], reply.headers['transfer-encoding']]).toEqual([
    200,
    String(expected.byteLength),
    undefined,
  ])
  expect(reply.body.equals(expected)).toBe(true)
  await eventually(() => expect(held()).toBe(idle))
  expect(warnings).toEqual([])
})

it('a large reply to HEAD has its length and leaves no subscription', async () => {
  const reply = await http(edge.port, { method: 'HEAD', path: '/v1/toys/a', token })
  expect([reply.status, reply.headers['content-length'], reply.body.byteLength]).toEqual([
    200,
    String(expected.byteLength),
    0,
  ])
  await eventually(() => expect(held()).toBe(idle))
})

it('a client that disconnects during a large reply leaves no subscription', async () => {
  const incoming = await open()
  await once(incoming, 'readable')
  expect(held()).toBe(idle + 1)
  incoming.destroy()
  await eventually(() => expect(held()).toBe(idle))
  expect(edge.logged.filter(line => line.level === 'error')).toEqual([])
  expect((await http(edge.port, { path: '/v1/toys/a', token })).status).toBe(200)
})

it('a client that disconnects before a large reply leaves no subscription', async () => {
  const outgoing = send({
    host: '127.0.0.1',
    port: edge.port,
    path: '/v1/toys/a',
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  })
  outgoing.on('error', () => undefined).end()
  await once(outgoing, 'finish')
  outgoing.destroy()
  await eventually(() => expect(edge.logged).toHaveLength(1))
  await eventually(() => expect(held()).toBe(idle))
  expect(edge.logged).toMatchObject([{ level: 'info' }])
})

it('a client that disconnects while sending its body logs no error', async () => {
  const socket = connect(edge.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `PUT /v1/boxes/a/toys/b HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  )
  await new Promise(resolve => setTimeout(resolve, 100))
  socket.destroy()
  await eventually(() => expect(edge.logged).toHaveLength(1))
  expect(edge.logged).toMatchObject([{ level: 'info', details: { operation: 'putToy' } }])
})

it('a service that dies during a large reply closes the connection', async () => {
  const incoming = await open()
  await once(incoming, 'readable')
  await edge.toyBus.connection.close()
  incoming.resume()
  await expect(once(incoming, 'end')).rejects.toThrow('aborted')
  expect(incoming.complete).toBe(false)
})
