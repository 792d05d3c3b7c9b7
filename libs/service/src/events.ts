import { consume, type Bus } from '@recto/bus'
import { postpone, transactOnce, type Db, type Listening, type Signal } from '@recto/database'
import type { Event, Payload } from '@recto/operation'
import type { Log } from '@recto/telemetry'
import { createAcknowledgements } from './acknowledgements.ts'
import type { EventContext } from './event-context.ts'
import { recordReactions, startReactions, type Reactions, type ReactionsBySubject } from './reactions.ts'

/** Deliveries of an event whose handler fails, before only the publisher's outbox redelivers it. */
const maxDeliver = 5
/** Milliseconds within which a delivery is acknowledged or extended. */
const ackWait = 30_000
/** Milliseconds until a delivery of an event that another delivery handles is looked at again. */
const lookAgainIn = 5_000
/** Milliseconds between postponements of the dispatch of an event that is being handled; shorter than the relay's own interval. */
const postponeEvery = 10_000
/** Seconds by which it is postponed. */
const postponedBy = 30

type Events = Record<string, Event>

/** A handler for every event of a table that names the service as its consumer. */
export type EventHandlers<T extends Events, Name extends string> = {
  [Id in keyof T as Name extends T[Id]['consumers'][number] ? Id : never]: (
    payload: Payload<T[Id]>,
    context: EventContext,
  ) => Promise<void>
}

type Handler = (payload: never, context: EventContext) => Promise<void>

/** Events, and what the service does about those that it consumes: for each, a handler, or reactions. */
export interface ConsumedEvents {
  events: Events
  /** Handlers by the keys of events: each runs in the transaction that marks its event as processed. */
  handlers?: Record<string, Handler>
  /**
   * Reactions by their names, which stay the same over versions. Each is recorded with the event, runs in a transaction of its own, and is
   * repeated until it went through: one that fails or takes long holds up no other. It may run twice, and for events in any order.
   */
  reactions?: Record<string, Reactions>
}

/** Declares the handlers of the events that name a service: a missing handler, an extra one or one of the wrong type does not compile. */
export function implementEvents<Name extends string>() {
  return <T extends Events>(_events: T, handlers: EventHandlers<T, Name>): EventHandlers<T, Name> => handlers
}

/**
 * Consumes the events that name this service, until stopped. Each is handled once, in a transaction with what its handler
 * changes, and acknowledged to the publisher's outbox, which redelivers it until then: losing the stream loses no event.
 */
export function consumeEvents(
  bus: Bus,
  consumed: ConsumedEvents,
  { db, log, signal, listening }: { db: Db; log: Log; signal: Signal; listening: Listening },
): { stop(): Promise<void> } {
  const acknowledgements = createAcknowledgements(bus, db)
  const reactions = reactionsBySubject(bus.service, consumed)
  const reacting = reactions.size > 0 ? startReactions(reactions, { db, log, signal, listening }) : undefined
  const handled = handlersBySubject(bus.service, consumed)
  const consumer = consume(bus, {
    stream: 'EVENTS',
    filter: narrowestFilter([...handled.keys()]),
    ackWait,
    maxDeliver: maxDeliver,
    maxInFlight: 10,
    log,
    deadLettered: async ({ id, subject }, error) =>
      log.error({ err: error, subject, id }, 'event could not be handled, and will be redelivered'),
    handle: async ({ id, subject, payload, last }) => {
      const one = handled.get(subject)
      // The filter may also match events of other consumers.
      if (!one) return 'done'
      const parsed = one.event.payload.parse(payload)
      const work = () => transactOnce(db, { id, signal }, tx => one.handle(parsed as never, { tx, id }))
      const handling = await whilePostponed({ bus, db, log }, { id, subject }, work)
      // The outbox redelivers the event if the delivery that handles it fails, so the last copy can be dropped.
      if (handling === 'in progress') return last ? 'done' : { retryIn: lookAgainIn }
      if (handling === 'handled') reacting?.wake()
      await acknowledgements
        .send(publisherOf(subject), id)
        .catch((error: unknown) =>
          log.warn({ err: error, subject, id }, 'event could not be acknowledged, and will be redelivered'),
        )
      return 'done'
    },
  })
  return {
    async stop() {
      await consumer.stop()
      await reacting?.stop()
    },
  }
}

/** Postpones the dispatch of an event of this service's own outbox while it is handled; those of others may be dispatched again meanwhile. */
async function whilePostponed<T>(
  { bus, db, log }: { bus: Bus; db: Db; log: Log },
  { id, subject }: { id: string; subject: string },
  work: () => Promise<T>,
): Promise<T> {
  if (publisherOf(subject) !== bus.service) return work()
  const postponeOnce = (): void =>
    void postpone(db, id, postponedBy).catch((error: unknown) =>
      log.warn({ err: error, subject, id }, 'event that is being handled could not be postponed'),
    )
  const timer = setInterval(postponeOnce, postponeEvery)
  return work().finally(() => clearInterval(timer))
}

const publisherOf = (subject: string): string => subject.split('.')[1] ?? ''

interface EventWithHandler {
  event: Event
  handle(payload: never, context: EventContext & { id: string }): Promise<void>
}

function consumedBy(service: string, { events }: ConsumedEvents): [string, Event][] {
  return Object.entries(events).filter(([, event]) => event.consumers.includes(service))
}

function handlersBySubject(service: string, consumed: ConsumedEvents): Map<string, EventWithHandler> {
  const { handlers = {}, reactions = {} } = consumed
  return new Map(
    consumedBy(service, consumed).map(([key, event]): [string, EventWithHandler] => {
      const { subject } = event
      const names = Object.keys(reactions).filter(name => reactions[name]?.[key])
      const handle = handlers[key]
      if (handle && names.length > 0) throw new Error(`${service} has both a handler and reactions for ${key}`)
      if (handle) return [subject, { event, handle }]
      if (names.length === 0) throw new Error(`${service} consumes the event ${key} and has no handler for it`)
      const record = (payload: object, { tx, id }: EventContext & { id: string }) =>
        recordReactions(tx, names, { id, subject, payload })
      return [subject, { event, handle: record }]
    }),
  )
}

function reactionsBySubject(service: string, consumed: ConsumedEvents): ReactionsBySubject {
  const events = consumedBy(service, consumed)
  const ofName = (reactions: Reactions) =>
    new Map(
      events.flatMap(([key, event]) => {
        const reaction = reactions[key]
        return reaction ? [[event.subject, { event, reaction }] as const] : []
      }),
    )
  return new Map(Object.entries(consumed.reactions ?? {}).map(([name, reactions]) => [name, ofName(reactions)]))
}

/** The narrowest filter over subjects, since a consumer has one. */
export function narrowestFilter(subjects: string[]): string {
  const [first = '', ...more] = subjects
  const tokens = first.split('.')
  const others = more.map(subject => subject.split('.'))
  if (others.every(other => other.length === tokens.length && other.at(-1) === tokens.at(-1)))
    return tokens.map((token, index) => (others.every(other => other[index] === token) ? token : '*')).join('.')
  const differs = tokens.findIndex((token, index) => others.some(other => other[index] !== token))
  return [...tokens.slice(0, differs), '>'].join('.')
}
