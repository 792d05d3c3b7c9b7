import { createOutgoing, type Outgoing } from '@recto/outgoing'
import { aTool, aToolServer, eventually, type ToolServer } from '@recto/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type McpClient, openMcpClient } from './index.ts'

let server: ToolServer
let other: ToolServer
let outgoing: Outgoing
const clients: McpClient[] = []
beforeAll(async () => {
  server = await aToolServer()
  other = await aToolServer()
  outgoing = createOutgoing({ allow: new URL(server.url).host, timeoutMs: 60_000, maxBytes: 0 })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()))
  Object.assign(server, { mode: 'answers', tools: [aTool('find')], reply: 'Found.', elsewhere: '', cancelled: 0 })
  for (const list of [server.requests, server.calls, other.requests]) list.length = 0
})
afterAll(async () => {
  await outgoing.close()
  await server.stop()
  await other.stop()
})

const never = new AbortController().signal
const times = { maxBytes: 100_000, openMs: 60_000, callMs: 60_000, lifetimeMs: 60_000, maxTools: 3 }
async function open(
  transport: 'http' | 'sse' = 'http',
  { signal = never, ...limits }: Partial<typeof times> & { signal?: AbortSignal } = {},
): Promise<McpClient> {
  const url = transport === 'sse' ? server.sseUrl : server.url
  const headers = { 'X-Api-Key': 'secret' }
  const remote = { url, transport, headers, outgoing, signal, version: '1' }
  const client = await openMcpClient({ ...remote, limits: { ...times, ...limits } })
  clients.push(client)
  return client
}

describe.each(['http', 'sse'] as const)('A server by %s', transport => {
  it('has tools, which are called with their input, and every request has the headers', async () => {
    const client = await open(transport)
    expect(client.tools).toMatchObject([{ name: 'find', inputSchema: { type: 'object' } }])
    expect(await client.call('find', { word: 'a' }, never)).toEqual({ text: 'Found.', isError: false })
    server.mode = 'says it failed'
    expect(await client.call('find', { word: 'b' }, never)).toEqual({ text: 'Found.', isError: true })
    expect(server.calls.map(call => call.arguments)).toEqual([{ word: 'a' }, { word: 'b' }])
    expect(server.requests.filter(({ headers }) => headers['x-api-key'] !== 'secret')).toEqual([])
  })

  it.each(['throws', 'is huge'] as const)('that %s fails the call, and not the next one', async mode => {
    const client = await open(transport)
    server.mode = mode
    await expect(client.call('find', {}, never)).rejects.toThrow()
    server.mode = 'answers'
    if (mode === 'throws') expect(await client.call('find', {}, never)).toMatchObject({ text: 'Found.' })
  })

  it('that takes too long is told to stop', async () => {
    server.mode = 'stalls'
    const client = await open(transport, { callMs: 50 })
    await expect(client.call('find', {}, never)).rejects.toThrow('timed out')
    await eventually(() => expect(server.cancelled).toBe(1))
  })

  it('is left when nobody waits any more', async () => {
    server.mode = 'stalls'
    const client = await open(transport)
    const gone = new AbortController()
    const call = client.call('find', {}, gone.signal)
    await eventually(() => expect(server.calls).toHaveLength(1))
    gone.abort()
    await expect(call).rejects.toThrow()
    await eventually(() => expect(server.cancelled).toBe(1))
  })

  it.each(['is down', 'says nothing'] as const)('that %s is not opened', async mode => {
    server.mode = mode
    await expect(open(transport, { openMs: 300 })).rejects.toThrow()
  })

  it('that redirects to another origin is not followed: its headers are for it alone', async () => {
    server.mode = 'redirects'
    server.elsewhere = other.url
    await expect(open(transport, { openMs: 2_000 })).rejects.toThrow()
    expect(other.requests).toEqual([])
  })
})

it('A server may answer by a stream', async () => {
  server.mode = 'answers by a stream'
  const client = await open()
  expect(await client.call('find', { word: 'a' }, never)).toEqual({ text: 'Found.', isError: false })
})

it('A session ends with its client, or when nobody waits for it', async () => {
  const before = server.sessions
  const gone = new AbortController()
  await (await open()).close()
  await open('http', { signal: gone.signal })
  expect(server.sessions).toBe(before + 1)
  gone.abort()
  await eventually(() => expect(server.sessions).toBe(before))
})

it('So many tools of a server are read as are wanted', async () => {
  server.tools = ['a', 'b', 'c', 'd'].map(name => aTool(name))
  expect((await open()).tools.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

it('An address that is not public is not asked', async () => {
  const remote = { url: other.url, transport: 'http' as const, headers: {}, outgoing, signal: never, version: '1' }
  await expect(openMcpClient({ ...remote, limits: times })).rejects.toThrow()
  expect(other.requests).toEqual([])
})
