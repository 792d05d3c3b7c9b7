import { connectBus, servicePermissions, type Bus } from '@recto/bus'
import { publishingEvents } from '@recto/contracts-publishing-bus'
import { services } from '@recto/contracts-shared'
import { aNatsServer, eventually, type TestNats } from '@recto/testing'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { followClosings, type Closings } from './closings.ts'

let nats: TestNats
let gateway: Bus
let publishing: Bus
let closings: Closings
/** How far back each question reached, in milliseconds; undefined for as far as possible. */
let reaches: (number | undefined)[]
let answer: { sites: { site: string; closedVersion: number }[] } | undefined
let warnings: number

beforeEach(async () => {
  const names = ['gateway', 'publishing'] as const
  nats = await aNatsServer({
    users: names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) })),
  })
  ;[gateway, publishing] = await Promise.all([
    connectBus({ url: nats.urlFor('gateway'), service: 'gateway' }),
    connectBus({ url: nats.urlFor('publishing'), service: 'publishing' }),
  ])
  reaches = []
  answer = { sites: [] }
  warnings = 0
  publishing.connection.subscribe('rpc.publishing.listClosedSites', {
    callback: (_error, message) => {
      reaches.push(message.json<{ withinMs?: number }>().withinMs)
      if (answer) message.respond(JSON.stringify(answer))
      else message.respond('no answer')
    },
  })
  await publishing.connection.flush()
})

afterEach(async () => {
  closings.stop()
  await Promise.all([gateway, publishing].map(bus => bus.drain()))
  await nats.stop()
})

async function follow(interval: number): Promise<void> {
  closings = followClosings(gateway, { log: { warn: () => (warnings += 1) }, interval })
  await closings.ready
}

const minute = 60_000
const isClosed = (version: number) => closings.isClosed({ site: 's', version })

async function signal(version: number, closedVersion: number): Promise<void> {
  const site = {
    organization: 'o',
    site: 's',
    version,
    closedVersion,
    published: true,
    visibility: 'public',
    spaces: [],
  }
  publishing.signal(publishingEvents.siteChanged.subject, 'a', site)
  await publishing.connection.flush()
}

it('A question reaches back to all that lives, and each later one a little behind the last answer', async () => {
  await follow(20)
  await eventually(() => expect(reaches.length).toBeGreaterThan(2))
  const [first, ...later] = reaches
  expect(first).toBeUndefined()
  for (const withinMs of later) {
    expect(withinMs).toBeGreaterThanOrEqual(15 * minute)
    expect(withinMs).toBeLessThan(20 * minute)
  }
})

it('A closing is known by an answer or by a signal, and stays known whatever comes later', async () => {
  answer = { sites: [{ site: 's', closedVersion: 4 }] }
  await follow(minute)
  expect([isClosed(3), isClosed(4)]).toEqual([true, false])
  await signal(6, 6)
  await eventually(() => expect(isClosed(5)).toBe(true))
  await signal(7, 5)
  await signal(8, 8)
  await eventually(() => expect(isClosed(7)).toBe(true))
  expect([isClosed(5), isClosed(8), closings.isClosed({ site: 'other', version: 1 })]).toEqual([true, false, false])
})

it('Closings are not known before an answer, nor when answers stay away', async () => {
  answer = undefined
  await follow(20)
  expect(closings.areKnown()).toBe(false)
  answer = { sites: [] }
  await eventually(() => expect(closings.areKnown()).toBe(true))
  answer = undefined
  await eventually(() => expect(closings.areKnown()).toBe(false))
  await eventually(() => expect(warnings).toBeGreaterThan(0))
})
