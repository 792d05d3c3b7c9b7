import { query, transact, type Db, type Listening, type Signal, type Transaction } from '@recto/database'
import { createWorker, type RunningJob, type Worker } from '@recto/jobs'
import type { Event, Payload } from '@recto/operation'
import { injectTrace, runInContext, type Log } from '@recto/telemetry'
import { EventReactionEntity, reactionJobs, type EventReactionRow } from './event-reaction.entity.ts'
import type { EventContext } from './event-context.ts'
import { startScheduler } from './scheduler.ts'

/** Reactions at once in one process, and those of one name: one that hangs holds its share, and no more. */
const places = { concurrency: 8, maxPerGroup: 3 }
const heartbeat = 5_000
/** Milliseconds between two looks for reactions that are due, at least. */
const every = 200

/** How a reaction to one event is carried out. */
export type Reaction<Load> = ((payload: Load, context: EventContext) => Promise<void>) | FetchingReaction<Load, unknown>

/** A reaction that asks another service: no transaction is open meanwhile. */
export interface FetchingReaction<Load, Fetched> {
  fetch(payload: Load, context: { db: Db }): Promise<Fetched>
  /** Runs in the transaction that ends the reaction, unless it resolves to `again`: then all of it is repeated. */
  handle(payload: Load, context: EventContext & { fetched: Fetched }): Promise<void | 'again'>
}

/** Reactions of one name, by the keys of their events. */
export type Reactions = Record<string, Reaction<never>>

type Events = Record<string, Event>

/** Declares the reactions of one name to some of the events that name a service: a payload of the wrong type, or an event for others, does not compile. */
export function implementReactions<Name extends string>() {
  return <T extends Events>(
    _events: T,
    reactions: {
      [Id in keyof T as Name extends T[Id]['consumers'][number] ? Id : never]?: Reaction<Payload<T[Id]>>
    },
  ): Reactions => reactions as Reactions
}

/** Declares a reaction that asks another service before its transaction. */
export function fetchFirst<Load, Fetched>(reaction: FetchingReaction<Load, Fetched>): FetchingReaction<Load, unknown> {
  return reaction as FetchingReaction<Load, unknown>
}

/** The reactions of a service by name and subject, with the events that they react to. */
export type ReactionsBySubject = Map<string, Map<string, { event: Event; reaction: Reaction<never> }>>

/** Writes a row for each reaction to an event, in the transaction that marks the event as processed. */
export async function recordReactions(
  tx: Db,
  names: readonly string[],
  { id, subject, payload }: { id: string; subject: string; payload: object },
): Promise<void> {
  const trace = injectTrace<Record<string, string>>({})
  const headers = Object.keys(trace).length > 0 ? trace : null
  const now = () => 'now()'
  const rows = names.map(reaction => ({
    id: `${id} ${reaction}`,
    reaction,
    subject,
    payload,
    trace: headers,
    attempts: 0,
    failures: 0,
    isTaken: false,
    dueAt: now,
    createdAt: now,
  }))
  await tx.createQueryBuilder().insert().into(EventReactionEntity).values(rows).orIgnore().execute()
}

interface ReactionTools {
  db: Db
  log: Log
  signal: Signal
  listening: Listening
}

/** Carries out what `recordReactions` wrote, each reaction on its own, until stopped. */
export function startReactions(
  reactions: ReactionsBySubject,
  { db, log, signal, listening }: ReactionTools,
): { wake(): void; stop(): Promise<void> } {
  const transaction: Transact = work => transact(db, signal, work)
  const worker: Worker = createWorker<EventReactionRow>({
    name: 'reactions to events',
    table: reactionJobs,
    wokenBy: ['event_reactions'],
    db,
    transaction,
    log,
    ...places,
    every,
    heartbeat,
    attempt: (row, job) => react(row, job, { reactions, db, transaction }),
    giveUp: async () => undefined,
  })
  const scheduler = startScheduler([worker.work], log, listening)
  const stop = async () => void (await Promise.all([scheduler.stop(), worker.stop()]))
  return { wake: () => worker.wake(), stop }
}

type Transact = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

async function react(
  row: EventReactionRow,
  job: RunningJob<EventReactionRow>,
  { reactions, db, transaction }: { reactions: ReactionsBySubject; db: Db; transaction: Transact },
): Promise<void> {
  const declared = reactions.get(row.reaction)?.get(row.subject)
  // Of another version of this service, which runs beside this one.
  if (!declared) throw new Error(`There is no reaction ${row.reaction} to ${row.subject}`)
  const { event, reaction } = declared
  const payload = event.payload.parse(row.payload) as never
  const carryOut = async () => {
    const isFetching = typeof reaction !== 'function'
    const fetched = isFetching ? await reaction.fetch(payload, { db }) : undefined
    await transaction(async tx => {
      const end = await (isFetching ? reaction.handle(payload, { tx, fetched }) : reaction(payload, { tx }))
      const next = end === 'again' ? { dueAt: new Date(0), failures: 0 } : {}
      await job.finish(tx, { isTaken: false, ...next })
      if (end !== 'again') await tx.delete(EventReactionEntity, { id: row.id })
    })
  }
  await runInContext({ requestId: row.id, operationId: row.subject }, carryOut, row.trace ?? {})
}

/** The reactions that wait, by name, for metrics. */
export async function reactionStates(
  db: Db,
  names: readonly string[],
): Promise<Record<string, { depth: number; oldest: number }>> {
  const rows = await query<{ reaction: string; depth: number; oldest: number }>(
    db,
    `select reaction, count(*)::int as depth, extract(epoch from now() - min(created_at))::float8 as oldest
     from event_reactions group by reaction`,
  )
  const none = names.map(name => [`events.${name}`, { depth: 0, oldest: 0 }] as const)
  const waiting = rows.map(({ reaction, depth, oldest }) => [`events.${reaction}`, { depth, oldest }] as const)
  return Object.fromEntries([...none, ...waiting])
}
