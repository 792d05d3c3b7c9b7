import { busClient, consume, type Bus } from '@recto/bus'
import { confirm, handleOnce, type Db } from '@recto/database'
import { implement, operations, type Event, type Payload } from '@recto/operation'
import type { Log } from '@recto/telemetry'
import { z } from 'zod'

/** How often the bus delivers an event that cannot be handled, before it is left to the outbox that tells it. */
const deliveries = 5

/** What the handler of an event works with. */
export interface EventContext {
  /** The transaction in which the event counts as handled. */
  db: Db
}

type Events = Record<string, Event>

/** A handler for every event of a table that names the service as its consumer. */
export type EventHandlers<T extends Events, Name extends string> = {
  [Id in keyof T as Name extends T[Id]['consumers'][number] ? Id : never]: (
    payload: Payload<T[Id]>,
    context: EventContext,
  ) => Promise<void>
}

/** Events and the handlers of those that the service consumes. */
export interface Consumed {
  events: Events
  handlers: Record<string, (payload: never, context: EventContext) => Promise<void>>
}

/** Ties handlers to the events that name a service: a missing handler, an extra one or one of the wrong shape does not compile. */
export function implementEvents<Name extends string>() {
  return <T extends Events>(_events: T, handlers: EventHandlers<T, Name>): EventHandlers<T, Name> => handlers
}

/** What every service answers to those who consume its events. */
export const eventCalls = operations({
  confirmEvents: {
    summary: 'Say that a consumer has handled events, so that they are not told again',
    body: z.object({ ids: z.array(z.string()).max(1000), consumer: z.string() }),
    reply: z.object({}),
  },
})

/** Answers `eventCalls` from the outbox that told the events. */
export function eventCallHandlers(db: Db) {
  return implement<unknown>()(eventCalls, {
    async confirmEvents({ body }) {
      await confirm(db, body.ids, body.consumer)
      return {}
    },
  })
}

/**
 * Consumes the events that name this service, until stopped. Each is handled once, in a transaction with what its handler
 * changes, and confirmed to the outbox that tells it; until then it is told again, so that nothing is lost with the stream.
 */
export function consumeEvents(
  bus: Bus,
  consumed: Consumed,
  { db, log }: { db: Db; log: Log },
): { stop(): Promise<void> } {
  const handled = handledBy(bus.service, consumed)
  return consume(bus, {
    ...{
      stream: 'EVENTS',
      filter: filterOver([...handled.keys()]),
      ackWait: 30_000,
      maxDeliver: deliveries,
      maxInFlight: 10,
      log,
    },
    dead: async ({ id, subject }, error) =>
      log.error({ err: error, subject, id }, 'event could not be handled, and will be told again'),
    handle: async ({ id, subject, payload }) => {
      const one = handled.get(subject)
      // The filter takes in what others consume.
      if (!one) return 'done'
      const told = one.event.payload.parse(payload)
      await handleOnce(db, id, transaction => one.handle(told as never, { db: transaction }))
      await confirmTo(bus, db, { id, subject }).catch((error: unknown) =>
        log.warn({ err: error, subject, id }, 'event could not be confirmed, and will be told again'),
      )
      return 'done'
    },
  })
}

interface Handled {
  event: Event
  handle: Consumed['handlers'][string]
}

function handledBy(service: string, { events, handlers }: Consumed): Map<string, Handled> {
  const own = Object.entries(events).filter(([, event]) => event.consumers.includes(service))
  return new Map(
    own.map(([id, event]) => {
      const handle = handlers[id]
      if (!handle) throw new Error(`${service} consumes the event ${id} and has no handler for it`)
      return [event.subject, { event, handle }]
    }),
  )
}

async function confirmTo(bus: Bus, db: Db, { id, subject }: { id: string; subject: string }): Promise<void> {
  const teller = subject.split('.')[1] ?? ''
  const body = { ids: [id], consumer: bus.service }
  if (teller === bus.service) await confirm(db, body.ids, body.consumer)
  else await busClient(bus, eventCalls, { service: teller }).confirmEvents({ body })
}

/** The narrowest filter over subjects, since a consumer has one. */
export function filterOver(subjects: string[]): string {
  const [first = '', ...more] = subjects
  if (more.length === 0) return first
  const tokens = first.split('.')
  const differs = tokens.findIndex((token, index) => more.some(subject => subject.split('.')[index] !== token))
  return [...tokens.slice(0, differs), '>'].join('.')
}
