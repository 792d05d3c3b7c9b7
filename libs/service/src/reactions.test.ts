import { migrate, query, transact } from '@recto/database'
import { events, type Event } from '@recto/operation'
import { aDatabase, aNatsServer, eventually, type TestDatabase, type TestNats } from '@recto/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { fetchFirst, implementReactions, type ConsumedEvents, type Reactions, type RunningService } from './index.ts'
import { notesAt, startToy } from './test/notes.ts'

const deskEvents = events({
  noteFiled: {
    subject: 'events.desk.note.filed',
    summary: 'A note was filed',
    payload: z.object({ id: z.string() }),
    consumers: ['desk'],
  },
  noteLost: {
    subject: 'events.desk.note.lost',
    summary: 'A note was lost',
    payload: z.object({ id: z.string() }),
    consumers: ['other'],
  },
})
const reactionsOf = implementReactions<'desk'>()

let nats: TestNats
let database: TestDatabase
const running: RunningService[] = []
beforeEach(async () => {
  nats = await aNatsServer()
  database = await aDatabase({ template: 'notes', migrate: async url => void (await migrate(notesAt(url))) })
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(service => service.stop()))
  await database.drop()
  await nats.stop()
})

async function start(consumed: Omit<ConsumedEvents, 'events'>): Promise<RunningService> {
  const where = { natsUrl: nats.url, url: database.url }
  const service = await startToy(where, {
    name: 'desk',
    redeliverAfter: 0.5,
    build: () => ({ context: base => base, events: { events: deskEvents, ...consumed } }),
  })
  running.push(service)
  return service
}
const publish = async ({ db }: RunningService, id: string, event: Event = deskEvents.noteFiled) =>
  transact(
    db,
    () => undefined,
    tx => tx.publish(event, { id }),
  )
const notes = async ({ db }: RunningService) =>
  (await query<{ id: string }>(db, 'select id from note order by id')).map(({ id }) => id)
const unacknowledged = ({ db }: RunningService) => query(db, 'select id from outbox where done_at is null')
const waiting = async ({ db }: RunningService) =>
  (await query<{ reaction: string }>(db, 'select reaction from event_reactions order by 1')).map(row => row.reaction)

/** A reaction that writes a note; it fails as long as it is said to. */
function writing(name: string, state = { fails: false }): Reactions {
  return reactionsOf(deskEvents, {
    noteFiled: async ({ id }, { tx }) => {
      await query(tx, 'insert into note (id) values ($1)', [`${name} ${id}`])
      if (state.fails) throw new Error(`${name} fails`)
    },
  })
}

describe('reactions to an event', () => {
  it('go on when one of them fails, which catches up later, each once', async () => {
    const search = { fails: true }
    const desk = await start({ reactions: { search: writing('search', search), git: writing('git') } })
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await publish(desk, id)
    await eventually(async () =>
      expect(await notes(desk)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map(id => `git ${id}`)),
    )
    await eventually(async () => expect(await unacknowledged(desk)).toEqual([]))
    expect(await waiting(desk)).toEqual(Array.from({ length: 6 }, () => 'search'))
    search.fails = false
    await eventually(async () => expect(await waiting(desk)).toEqual([]))
    expect((await notes(desk)).filter(id => id.startsWith('search'))).toHaveLength(6)
    expect(await notes(desk)).toHaveLength(12)
  })

  it('go on when one of them hangs', async () => {
    let letGo = (): void => undefined
    const hanging = new Promise<void>(resolve => (letGo = resolve))
    const desk = await start({
      reactions: { git: writing('git'), search: reactionsOf(deskEvents, { noteFiled: () => hanging }) },
    })
    const ids = Array.from({ length: 12 }, (_, at) => `note ${at}`)
    for (const id of ids) await publish(desk, id)
    await eventually(async () => expect(await notes(desk)).toHaveLength(ids.length))
    expect(await waiting(desk)).toHaveLength(ids.length)
    letGo()
    await eventually(async () => expect(await waiting(desk)).toEqual([]))
  })

  it('outlive the process that recorded them', async () => {
    const failing = await start({ reactions: { search: writing('search', { fails: true }) } })
    await publish(failing, 'a')
    await eventually(async () => expect(await unacknowledged(failing)).toEqual([]))
    await running.pop()?.stop()
    const desk = await start({ reactions: { search: writing('search') } })
    await eventually(async () => expect([await notes(desk), await waiting(desk)]).toEqual([['search a'], []]))
  })

  it('begin with the events that the version before published, and did not handle', async () => {
    const before = await start({
      handlers: { noteFiled: () => Promise.reject(new Error('The version before cannot do this')) } as never,
    })
    await publish(before, 'a')
    await eventually(async () => expect(await unacknowledged(before)).toHaveLength(1))
    await running.pop()?.stop()
    const desk = await start({ reactions: { search: writing('search'), git: writing('git') } })
    await eventually(async () =>
      expect([await notes(desk), await unacknowledged(desk)]).toEqual([['git a', 'search a'], []]),
    )
  })

  it('are repeated when they say so, and fetch while no transaction is open', async () => {
    const open = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`
    const seen: unknown[] = []
    const again = fetchFirst<{ id: string }, number>({
      async fetch(_payload, { db }) {
        seen.push(await query(db, open))
        return seen.length
      },
      async handle({ id }, { tx, fetched }) {
        await query(tx, 'insert into note (id) values ($1)', [`${id} ${fetched}`])
        return fetched < 2 ? 'again' : undefined
      },
    })
    const desk = await start({ reactions: { search: reactionsOf(deskEvents, { noteFiled: again }) } })
    await publish(desk, 'a')
    await eventually(async () => expect([await notes(desk), await waiting(desk)]).toEqual([['a 1', 'a 2'], []]))
    expect(seen).toEqual([[{ count: 0 }], [{ count: 0 }]])
  })

  it('do not go with a handler of the same event', async () => {
    const handlers = { noteFiled: async () => undefined }
    await expect(start({ handlers, reactions: { search: writing('search') } })).rejects.toThrow(
      'desk has both a handler and reactions for noteFiled',
    )
  })
})

// Never called: these compile or they do not.
export function reactionsFitTheirEvents(): void {
  reactionsOf(deskEvents, {})
  // @ts-expect-error a reaction to an event for other consumers does not compile
  reactionsOf(deskEvents, { noteLost: async () => undefined })
  // @ts-expect-error a payload of another shape does not compile
  reactionsOf(deskEvents, { noteFiled: async ({ title }) => void title })
}
