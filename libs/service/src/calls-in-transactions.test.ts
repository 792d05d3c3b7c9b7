import { busClient } from '@recto/bus'
import { migrate, query } from '@recto/database'
import { operations, type Answers, type Operations } from '@recto/operation'
import { aDatabase, aNatsServer, type TestDatabase, type TestNats } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { RunningService, ServiceContext } from './index.ts'
import { notesAt, startToy } from './test/notes.ts'

const shelfCalls = operations({
  countNotes: { summary: 'Count notes', reply: z.object({ count: z.int() }) },
})

let nats: TestNats
const databases: TestDatabase[] = []
const services: RunningService[] = []
beforeAll(async () => {
  nats = await aNatsServer()
  const template = { template: 'notes', migrate: async (url: string) => void (await migrate(notesAt(url))) }
  for (let count = 0; count < 3; count += 1) databases.push(await aDatabase(template))
  await start('shelf', 0, { calls: answersOf(shelfCalls, { countNotes: async () => ({ count: 7 }) }) })
})
afterAll(async () => {
  await Promise.all(services.map(service => service.stop()))
  await Promise.all(databases.map(database => database.drop()))
  await nats.stop()
})

type Toy = Parameters<typeof startToy>[1]
function answersOf(rows: Operations, handlers: object): Answers<ServiceContext> {
  return { operations: rows, handlers: handlers as Answers<ServiceContext>['handlers'] }
}

async function start(name: string, at: number, more: Partial<Toy>): Promise<RunningService> {
  const service = await startToy({ natsUrl: nats.url, url: databases[at]?.url ?? '' }, { name, ...more })
  services.push(service)
  return service
}

const deskCalls = operations({
  before: { summary: 'Ask, then open a transaction', reply: z.object({ count: z.int() }) },
  inside: { summary: 'Ask in a transaction', reply: z.object({ count: z.int() }) },
})

/** A service that asks the shelf, before a transaction or in it. */
async function aDesk(name: string, at: number, callsInTransaction?: Record<string, string>) {
  const shelf = { ask: async () => ({ count: 0 }) }
  const handlers = {
    async before(_input: object, { transaction }: ServiceContext) {
      const answer = await shelf.ask()
      await transaction(async tx => void (await query(tx, 'select 1')))
      return answer
    },
    inside: (_input: object, { transaction }: ServiceContext) => transaction(() => shelf.ask()),
  }
  const calls = answersOf(deskCalls, handlers)
  const desk = await start(name, at, { calls, ...(callsInTransaction && { callsInTransaction }) })
  shelf.ask = () => busClient(desk.bus, shelfCalls, { service: 'shelf' }).countNotes({})
  const [shelfService] = services
  if (!shelfService) throw new Error('The shelf has not started')
  return busClient(shelfService.bus, deskCalls, { service: name })
}

it('a call of another service in a transaction fails in tests, and one before it does not', async () => {
  const desk = await aDesk('desk', 1)
  expect(await desk.before({})).toEqual({ count: 7 })
  await expect(desk.inside({})).rejects.toMatchObject({ code: 'internal' })
})

it('a call that is exempt, with its reason, may be made in a transaction', async () => {
  const desk = await aDesk('exempt', 2, { countNotes: 'It is an example.' })
  expect(await desk.inside({})).toEqual({ count: 7 })
})
