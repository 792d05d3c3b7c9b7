import {
  aNatsCluster,
  aReplicatedPostgres,
  eventually,
  rowsOf,
  type NatsCluster,
  type ReplicatedPostgres,
} from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aLoadPlace, byWriter, ClusterLoad, pageTitles, type LoadPlace } from './cluster-load.ts'
import { clusterSeconds } from './config.ts'
import { databaseNames } from './databases.ts'
import type { Event } from './endpoint.ts'
import { aLoadBalancer, type LoadBalancer } from './load-balancer.ts'
import { anOrganization, sendOk } from './people.ts'
import { aReplica, processNames, replicaOfStack, type Replica } from './replicas.ts'
import { installationAt, removeData, startStack, usualTime, type Stack } from './stack.ts'

let nats: NatsCluster
let postgres: ReplicatedPostgres
let stack: Stack
let replicas: Replica[]
let balancer: LoadBalancer

beforeAll(async () => {
  ;[nats, postgres] = await Promise.all([aNatsCluster({ maxPayload: 8 * 1024 * 1024 }), aReplicatedPostgres()])
  const urls = await postgres.prepare(databaseNames.map(name => ({ database: name, role: name, password: name })))
  const settings = {
    ...usualTime,
    RATE_LIMIT: '10000000',
    REFUSAL_LIMIT: '100000',
    NATS_URL: nats.urlFor(),
    NATS_REPLICAS: '3',
    ...Object.fromEntries(databaseNames.map((name, at) => [`DATABASE_URL_${name.toUpperCase()}`, urls[at] ?? ''])),
  }
  stack = await startStack({ env: settings })
  const second = await Promise.all(processNames.map(name => aReplica(stack, name, settings)))
  replicas = [...processNames.map(name => replicaOfStack(stack, name)), ...second]
  balancer = await aLoadBalancer(replicas.filter(({ name }) => name === 'gateway').map(({ url }) => url))
})

afterAll(async () => {
  await balancer.stop()
  await Promise.all(replicas.map(replica => replica.stop()))
  await stack.stop()
  await Promise.all([nats.stop(), postgres.stop(), removeData(stack.dataDir)])
})

interface Failure {
  name: string
  /** Makes it; resolves to what repairs it. */
  strike(): Promise<() => Promise<void>>
}

/** Cuts off the server that leads the stream until none of its clients is left there. */
async function isolateLeader(options: { isSilent: boolean }): Promise<() => Promise<void>> {
  const leader = await nats.leaderOf('EVENTS')
  expect(await leader.clients()).toBeGreaterThan(0)
  leader.isolate(options)
  return async () => {
    await eventually(async () => expect(await leader.clients()).toBe(0))
    leader.heal()
  }
}

const failures: Failure[] = [
  {
    name: 'the NATS server that leads the stream is killed',
    strike: async () => {
      const leader = await nats.leaderOf('EVENTS')
      await leader.kill()
      return () => leader.start()
    },
  },
  {
    name: 'the network cuts the NATS server that leads the stream off from the others',
    strike: () => isolateLeader({ isSilent: false }),
  },
  {
    name: 'the primary of PostgreSQL is killed',
    strike: async () => {
      await postgres.killPrimary()
      await postgres.promoteStandby()
      return () => postgres.addStandby()
    },
  },
]

/** Resolves when each writer has had writes acknowledged that began after a moment. */
const untilWritten = (load: ClusterLoad, moment: number) =>
  eventually(() => {
    const writes = load.writesSince(moment)
    expect([load.faults, writes.size]).toEqual([[], load.writers])
    for (const each of writes.values()) expect(each.length).toBeGreaterThan(5)
  })

async function feedOf({ url, admin, organizationId }: LoadPlace): Promise<Event[]> {
  const events: Event[] = []
  for (let cursor = '0'; ;) {
    const path = `/orgs/${organizationId}/events?limit=500&after=${cursor}`
    const reply = await sendOk<{ events: Event[]; cursor: string }>({ url }, admin, { method: 'GET', path })
    if (reply.events.length === 0) return events
    events.push(...reply.events)
    cursor = reply.cursor
  }
}

/** Expects each acknowledged write where it was written, once, and once in the feed, in its order. */
async function expectNothingLost(load: ClusterLoad, place: LoadPlace): Promise<void> {
  for (const spaceId of [...place.pageSpaces, ...place.mergeSpaces]) {
    const titles = load.writes.flatMap(write => (write.spaceId === spaceId && write.title ? [write.title] : []))
    expect((await pageTitles(place.admin, spaceId)).toSorted()).toEqual(titles.toSorted())
  }
  const feed = await feedOf(place)
  expect(feed.map(({ sequence }) => sequence)).toEqual(feed.map((_event, at) => at + 1))
  for (const [writer, writes] of byWriter(load.writes)) {
    const own = new Set(writes.map(({ key }) => key))
    const attempts = [...new Set(feed.map(({ request = '' }) => request))].filter(each => own.has(keyOf(each)))
    expect([writer, attempts.map(keyOf)]).toEqual([writer, writes.map(({ key }) => key)])
  }
  const effects = feed.map(({ request, type, subject }) => JSON.stringify([request, type, subject]))
  expect(effects.length).toBe(new Set(effects).size)
}

const keyOf = (request: string) => request.slice(0, request.lastIndexOf('.'))

/** Expects that nothing waits: no message in an outbox or for a consumer, no lock, and no copy that is behind. */
async function expectNothingStuck(): Promise<void> {
  for (const name of databaseNames) {
    const waiting = await rowsOf(postgres.url(name), 'SELECT subject FROM outbox WHERE done_at IS NULL')
    expect([name, waiting]).toEqual([name, []])
  }
  const blocked = `SELECT datname, query, state FROM pg_stat_activity
    WHERE datname IS NOT NULL AND (wait_event_type = 'Lock' OR wait_event = 'SyncRep'
      OR state LIKE 'idle in transaction%' AND now() - state_change > interval '5 s')`
  expect(await rowsOf(postgres.url(), blocked)).toEqual([])
  const streams = await nats.streams()
  expect(streams.map(({ name }) => name).toSorted()).toEqual(['EVENTS', 'JOBS'])
  for (const { current } of streams) expect(current).toHaveLength(3)
  const lags = streams.flatMap(({ consumers }) => consumers)
  expect(lags.filter(({ lag }) => lag > 0)).toEqual([])
  expect(lags.length).toBeGreaterThan(0)
}

function measure(load: ClusterLoad, struck: number) {
  const since = [...load.writesSince(struck).values()].flat()
  const gaps = [...byWriter(load.writes).values()].flatMap(writes =>
    writes.slice(1).map(({ acknowledged }, at) => acknowledged - (writes[at]?.acknowledged ?? 0)),
  )
  return {
    firstWriteAfter: Math.min(...since.map(({ acknowledged }) => acknowledged)) - struck,
    longestPause: Math.max(...gaps),
    writes: load.writes.length,
    reads: load.reads,
    failed: Object.fromEntries(load.failures),
  }
}

async function endure({ name, strike }: Failure): Promise<void> {
  const { id: organizationId, admin } = await anOrganization(installationAt({ ...stack, url: balancer.url }))
  const place = await aLoadPlace(balancer.url, { organizationId, admin })
  const load = new ClusterLoad(place)
  await untilWritten(load, 0)
  const struck = Date.now()
  const repair = await strike()
  const stricken = Date.now()
  await untilWritten(load, stricken)
  await repair()
  await untilWritten(load, Date.now())
  await load.stop()
  const ended = Date.now()
  await eventually(expectNothingStuck)
  const drained = Date.now() - ended
  await expectNothingLost(load, place)
  process.stdout.write(
    `${name}: ${JSON.stringify({ ...measure(load, struck), strikeTook: stricken - struck, drained })}\n`,
  )
}

const longFailures: Failure[] = [
  ...failures,
  {
    name: 'the network loses all that the leader of the stream and the others send each other',
    // NATS before 2.10 goes on sending requests to a server that says nothing: they are answered when the network is back.
    strike: async () => {
      const heal = await isolateLeader({ isSilent: true })
      await heal()
      return async () => {}
    },
  },
  {
    name: 'the machine of the primary of PostgreSQL vanishes',
    strike: async () => {
      await postgres.killPrimary({ isSilent: true })
      await postgres.promoteStandby()
      return () => postgres.addStandby()
    },
  },
]

describe('Under load no acknowledged write is lost, and nothing is stuck, when', () => {
  it.each(failures)('$name', endure)

  // Only by hand: npm test has each failure that ends connections, once.
  if (clusterSeconds > 0)
    it('all of that happens again and again', async () => {
      const end = Date.now() + clusterSeconds * 1_000
      while (Date.now() < end) for (const failure of longFailures) await endure(failure)
    })
})
