import { aNatsCluster, eventually, type NatsCluster } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { isRefused } from './cluster-watch.ts'
import { connectBus, servicePermissions, type Bus } from './index.ts'
import { ask, aToy, serveToys } from './test/toy.ts'

const { publish, subscribe } = servicePermissions('toys', { serves: true })
const users = [
  // As an installation of a version before has it.
  { name: 'earlier', password: 'earlier', publish: publish.filter(subject => subject !== '$JS.API.INFO'), subscribe },
  { name: 'gateway', password: 'gateway', ...servicePermissions('gateway', { sendsApi: true }) },
  { name: 'toys', password: 'toys', ...servicePermissions('toys', { serves: true }) },
]
let cluster: NatsCluster
let gateway: Bus
let toys: Bus

beforeAll(async () => {
  cluster = await aNatsCluster({ users })
  gateway = await connectBus({ url: cluster.urlFor('gateway'), service: 'gateway' })
  const [other = ''] = cluster
    .urlFor('toys')
    .split(',')
    .filter(url => !url.endsWith(gateway.connection.getServer()))
  toys = await connectBus({ url: other, service: 'toys' })
})
afterAll(async () => {
  await Promise.all([gateway.drain(), toys.drain()])
  await cluster.stop()
})

it('A client of a server that the network has cut off moves to another one, and is answered there', async () => {
  const server = serveToys(toys, { get: aToy(async () => ({})) })
  await eventually(async () => expect((await ask(gateway, 'get')).status).toBe(200))
  const before = gateway.connection.getServer()
  const other = toys.connection.getServer()
  const node =
    cluster.nodes[
      cluster
        .urlFor()
        .split(',')
        .findIndex(url => url.endsWith(before))
    ]
  node?.isolate({ isSilent: true })
  await eventually(() => expect(gateway.connection.getServer()).not.toBe(before))
  await eventually(async () => expect((await ask(gateway, 'get')).status).toBe(200))
  // Those of the others stay.
  expect(toys.connection.getServer()).toBe(other)
  node?.heal()
  await server.stop()
})

it('A client that may not ask for the leader sees that it is refused, and not that the cluster does not answer', async () => {
  const bus = await connectBus({ url: cluster.urlFor('earlier'), service: 'toys' })
  const error: unknown = await bus.manager.getAccountInfo().catch((reason: unknown) => reason)
  expect(isRefused(error)).toBe(true)
  expect(isRefused(new Error('No answer'))).toBe(false)
  await bus.drain()
})
