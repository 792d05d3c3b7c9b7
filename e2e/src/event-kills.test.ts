import { aRestartableNats, eventually, type RestartableNats } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Endpoint, type Event } from './endpoint.ts'
import { eventStages, type EventStage } from './event-stages.ts'
import type { Hold } from './git-proxy.ts'
import { aNatsProxy, type NatsProxy } from './nats-proxy.ts'
import { anOrganization, sendOk, sendRaw, type Person } from './people.ts'
import { removeData, startStack, type Stack, usualTime } from './stack.ts'

/** An organization whose events are kept back at one stage, and the changes that were acknowledged, by their requests. */
interface Place {
  stage: EventStage
  organizationId: string
  admin: Person
  spaceId: string
  webhookId: string
  requests: string[]
}

const endpoint = new Endpoint()
let bus: RestartableNats
let nats: NatsProxy
let stack: Stack
let places: Place[]

beforeAll(async () => {
  bus = await aRestartableNats({ maxPayload: 8 * 1024 * 1024 })
  nats = await aNatsProxy(bus.port)
  const url = new URL(bus.url)
  url.port = String(nats.port)
  await endpoint.start()
  stack = await startStack({ env: { ...usualTime, RATE_LIMIT: '1000000', NATS_URL: url.href } })
  places = await Promise.all(eventStages.map(aPlace))
})
afterAll(async () => {
  await stack.stop()
  await Promise.all([nats.stop(), endpoint.kill(), removeData(stack.dataDir)])
  await bus.stop()
})

async function aPlace(stage: EventStage): Promise<Place> {
  const { id: organizationId, admin } = await anOrganization(stack)
  const create = <T>(path: string, body: object) =>
    sendOk<T>(stack, admin, { method: 'POST', path: `/orgs/${organizationId}/${path}`, body })
  const { id: spaceId } = await create<{ id: string }>('spaces', { title: 'Manual' })
  const settings = { url: endpoint.url(organizationId), types: ['space.updated'] }
  const { id: webhookId, secret } = await create<{ id: string; secret: string }>('webhooks', settings)
  endpoint.accept(organizationId, secret)
  return { stage, organizationId, admin, spaceId, webhookId, requests: [] }
}

/** Renames the space of a place; a request that was refused or lost its reply is sent again. */
async function changeSpace({ admin, spaceId, requests }: Place, title: string): Promise<void> {
  const request = await eventually(async () => {
    const sending = { method: 'PATCH', path: `/spaces/${spaceId}`, body: { title } }
    const { status, headers } = await sendRaw(stack.url, admin, sending)
    expect(status).toBe(200)
    return headers.get('x-request-id') ?? ''
  })
  requests.push(request)
}

/** Changes each space, and resolves when each event has reached its stage. */
async function reachStages(title: string): Promise<Hold[]> {
  const holds: Hold[] = []
  for (const place of places) {
    const { organizationId, webhookId, stage } = place
    const hold = await stage.hold({ organizationId, webhookId, endpoint, nats, dataDir: stack.dataDir })
    holds.push(hold)
    await changeSpace(place, title)
    await hold.reached
  }
  return holds
}

async function feedOf({ admin, organizationId }: Place): Promise<Event[]> {
  const path = `/orgs/${organizationId}/events?limit=500&after=0`
  return (await sendOk<{ events: Event[] }>(stack, admin, { method: 'GET', path })).events
}

/** The requests of the first arrivals of events; later ones of the same event are repetitions. */
function firstRequests(events: Event[]): (string | undefined)[] {
  const ids = events.map(({ id }) => id)
  return events.filter(({ id }, at) => ids.indexOf(id) === at).map(({ request }) => request)
}

/** Expects each acknowledged change once in the feed, without a gap, and in its order at the endpoint. */
async function expectRecord(place: Place): Promise<void> {
  const feed = await feedOf(place)
  const record = {
    stage: place.stage.name,
    sequences: feed.map(({ sequence }) => sequence),
    feed: feed.filter(({ type }) => type === 'space.updated').map(({ request }) => request),
    endpoint: firstRequests(endpoint.messagesOf(place.organizationId)),
  }
  const { stage, requests } = place
  const sequences = feed.map((_event, at) => at + 1)
  expect(record).toEqual({ stage: stage.name, sequences, feed: requests, endpoint: requests })
}

const expectAll = () => Promise.all(places.map(place => eventually(() => expectRecord(place))))

const kill = (name: string) => void process.kill(stack.pidOf(name), 'SIGKILL')

const faults: [string, () => void | Promise<void>][] = [
  ['events is killed', () => kill('events')],
  ['the service that made the change is killed', () => kill('content')],
  ['NATS is killed and starts again without its stream', () => bus.restart({ isEmpty: true })],
  ['PostgreSQL is killed', () => kill('postgres')],
  [
    'the endpoint is killed and starts again',
    async () => {
      await endpoint.kill()
      await endpoint.start()
    },
  ],
]

describe('events that are kept back at each stage', () => {
  it.each(faults)('are in the feed once and reach their endpoints in order when %s', async (name, strike) => {
    const title = name.slice(0, 40)
    const holds = await reachStages(title)
    await strike()
    for (const { release } of holds) release()
    await expectAll()
    for (const place of places) await changeSpace(place, `${title}, after`)
    await expectAll()
  })
})
