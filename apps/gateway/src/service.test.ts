import { Agent, request } from 'node:http'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectBus, servicePermissions, type Bus } from '@recto/bus'
import { services } from '@recto/contracts-shared'
import { createLog, createMetrics } from '@recto/telemetry'
import { aNatsServer, eventually, type TestNats, removeFolder } from '@recto/testing'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { config } from './config.ts'
import { startGateway, type Gateway } from './service.ts'

let nats: TestNats
let folder: string
let gateway: Gateway
let identity: Bus
let start: (port: number) => Promise<Gateway>

beforeEach(async () => {
  const names = ['gateway', 'identity'] as const
  nats = await aNatsServer({
    users: names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) })),
  })
  folder = await mkdtemp(join(tmpdir(), 'recto-gateway-'))
  start = port => {
    const settings = config({
      NATS_URL: nats.urlFor('gateway'),
      PORT: String(port),
      PUBLIC_URL: 'http://recto.test',
      SIGNING_SECRET: 'a-secret-for-tests-of-32-characters-or-more',
      BLOB_URL: pathToFileURL(folder).href,
    })
    const process = { ready: async () => true as const, health: () => false }
    const log = createLog({ service: 'gateway', level: 'silent' })
    return startGateway(settings, { log, metrics: createMetrics('gateway'), process })
  }
  gateway = await start(0)
  identity = await connectBus({ url: nats.urlFor('identity'), service: 'identity' })
})

afterEach(async () => {
  await identity.drain()
  await nats.stop()
  await removeFolder(folder)
})

function get(agent: Agent, path: string): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const clientRequest = request({ agent, port: gateway.port, path }, response => {
      response
        .resume()
        .on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }))
    })
    clientRequest.on('error', reject).end()
  })
}

it('responds 503 immediately while the service of an operation is unavailable', async () => {
  const agent = new Agent({ keepAlive: true })
  expect(await get(agent, '/v1')).toMatchObject({ status: 503 })
  agent.destroy()
  await gateway.stop()
})

it('stops after requests in flight are answered, and closes idle connections', async () => {
  const agent = new Agent({ keepAlive: true })
  expect(await get(agent, '/openapi.json')).toMatchObject({ status: 200, connection: 'keep-alive' })
  const arrived = new Promise<() => void>(resolve => {
    identity.connection.subscribe('api.identity.getApiInformation', {
      callback: (_error, message) => resolve(() => message.respond('{}')),
    })
  })
  await identity.connection.flush()
  const inFlight = get(agent, '/v1')
  const answer = await arrived
  const stopped = gateway.stop()
  answer()
  expect(await inFlight).toMatchObject({ status: 200 })
  await stopped
  await expect(get(new Agent(), '/openapi.json')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  agent.destroy()
})

it('answers on while it leaves, and closes each connection with its reply', async () => {
  const agent = new Agent({ keepAlive: true })
  expect(await get(agent, '/openapi.json')).toMatchObject({ status: 200, connection: 'keep-alive' })
  gateway.leave()
  for (const _again of [1, 2])
    expect(await get(agent, '/openapi.json')).toMatchObject({ status: 200, connection: 'close' })
  agent.destroy()
  await gateway.stop()
})

it('closes what it opened when its port is taken', async () => {
  const connections = () => process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length
  const before = connections()
  await expect(start(gateway.port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await eventually(() => expect(connections()).toBe(before))
  await gateway.stop()
})
