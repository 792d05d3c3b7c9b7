import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectBus, serve, servicePermissions, type Bus } from '@recto/bus'
import { services } from '@recto/contracts-shared'
import { api, calls } from '@recto/contracts'
import { createLog, createMetrics } from '@recto/telemetry'
import { aNatsServer, eventually, type TestNats, removeFolder } from '@recto/testing'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { config } from './config.ts'
import { startGateway, type Gateway } from './service.ts'

const names = Object.keys(api) as (keyof typeof api)[]

let nats: TestNats
let folder: string
let gateway: Gateway
let running: Map<string, Bus>

beforeEach(async () => {
  nats = await aNatsServer({
    users: ['gateway' as const, ...names].map(name => ({
      name,
      password: name,
      ...servicePermissions(name, services[name]),
    })),
  })
  folder = await mkdtemp(join(tmpdir(), 'recto-gateway-'))
  const settings = config({
    NATS_URL: nats.urlFor('gateway'),
    PORT: '0',
    PUBLIC_URL: 'http://recto.test',
    SIGNING_SECRET: 'a-secret-for-tests-of-32-characters-or-more',
    BLOB_URL: pathToFileURL(folder).href,
  })
  const process = { ready: async () => true as const, health: () => false }
  const log = createLog({ service: 'gateway', level: 'silent' })
  gateway = await startGateway(settings, { log, metrics: createMetrics('gateway'), process })
  running = new Map()
})

afterEach(async () => {
  await gateway.stop()
  for (const bus of running.values()) await bus.drain()
  await nats.stop()
  await removeFolder(folder)
})

/** Starts a service whose handlers fail the test when they run: asking whether it is there must not. */
async function start(name: keyof typeof api): Promise<void> {
  const bus = await connectBus({ url: nats.urlFor(name), service: name })
  running.set(name, bus)
  const log = { error: () => undefined, warn: () => undefined }
  const closed = { listClosedSites: async () => ({ sites: [] }) }
  const answering = { context: () => ({}), log, handlers: closed as never }
  if (name === 'publishing')
    serve(bus, { ...answering, prefix: 'rpc', operations: { listClosedSites: calls.publishing.listClosedSites } })
  serve(bus, { ...answering, prefix: 'api', operations: api[name], handlers: {} as never })
  await bus.connection.flush()
}

async function stop(name: string): Promise<void> {
  await running.get(name)?.drain()
  running.delete(name)
}

it('A gateway is ready when every service has answered once, and stays so without them', async () => {
  const waiting = new Set<string>(names)
  for (const name of names) {
    expect(await gateway.ready()).toBe(`no answer yet from: ${[...waiting].join(', ')}`)
    await start(name)
    waiting.delete(name)
  }
  await eventually(async () => expect(await gateway.ready()).toBe(true))
  for (const name of names) await stop(name)
  expect(await gateway.ready()).toBe(true)
})

it('A service that has answered once and is away counts for a gateway that still waits for others', async () => {
  const [first, ...others] = names as [keyof typeof api, ...(keyof typeof api)[]]
  await start(first)
  expect(await gateway.ready()).toBe(`no answer yet from: ${others.join(', ')}`)
  await stop(first)
  for (const name of others) await start(name)
  await eventually(async () => expect(await gateway.ready()).toBe(true))
})

it('A gateway without NATS is not ready, whoever has answered', async () => {
  for (const name of names) await start(name)
  await eventually(async () => expect(await gateway.ready()).toBe(true))
  await nats.stop()
  await eventually(async () => expect(await gateway.ready()).toBe('NATS is not reached'))
})
