import { wakeTrigger, type EntityColumns } from '@recto/database'
import { retryDelay, type JobTable } from '@recto/jobs'
import { EntitySchema } from 'typeorm'

/** A reaction to an event that has not gone through yet. */
export interface EventReactionRow {
  /** The id of the event, and the reaction. */
  id: string
  reaction: string
  subject: string
  payload: object
  /** Headers with the trace of the event. */
  trace: Record<string, string> | null
  attempts: number
  /** Attempts in a row that failed. */
  failures: number
  isTaken: boolean
  /** When an attempt may start: for a reaction that is taken, the end of its lease. */
  dueAt: Date
  createdAt: Date
}

export const EventReactionEntity = new EntitySchema<EventReactionRow>({
  name: 'EventReaction',
  tableName: 'event_reactions',
  columns: {
    id: { type: 'text', primary: true },
    reaction: { type: 'text' },
    subject: { type: 'text' },
    payload: { type: 'jsonb' },
    trace: { type: 'jsonb', nullable: true },
    attempts: { type: 'int' },
    failures: { type: 'int' },
    isTaken: { type: 'boolean', name: 'is_taken' },
    dueAt: { type: 'timestamptz', precision: 3, name: 'due_at' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<EventReactionRow>,
})

/** SQL that creates the table of reactions; part of a migration of each service that has some, behind `wakeFunction`. */
export const reactionTable = [
  `create table event_reactions (
    id text primary key,
    reaction text not null,
    subject text not null,
    payload jsonb not null,
    trace jsonb,
    attempts int not null default 0,
    failures int not null default 0,
    is_taken boolean not null default false,
    due_at timestamptz(3) not null default now(),
    created_at timestamptz(3) not null default now()
  )`,
  `create index event_reactions_due on event_reactions (due_at)`,
  `create index event_reactions_taken on event_reactions (reaction) where is_taken`,
  // Not when one is taken.
  wakeTrigger('event_reactions', { columns: ['failures'], when: 'true' }),
]

/** Milliseconds without a sign of life after which another process takes a reaction over. */
const leaseMs = 15_000
/** Milliseconds between attempts that fail. */
const retries = { first: 1_000, longest: 300_000 }

const leased = (now: Date) => ({ isTaken: true, dueAt: new Date(now.getTime() + leaseMs) })

/** Reactions as jobs, which are never given up. */
export const reactionJobs: JobTable<EventReactionRow> = {
  entity: EventReactionEntity,
  key: 'id',
  group: 'job.reaction',
  maxAttempts: Infinity,
  open: 'true',
  due: 'job.due_at',
  isTaken: 'job.is_taken',
  attemptsOf: ({ attempts }) => attempts,
  take: ({ attempts }, now) => ({ attempts: attempts + 1, ...leased(now) }),
  keep: leased,
  release({ failures }, { now, isCounted }) {
    const failed = failures + (isCounted ? 1 : 0)
    const delay = isCounted ? retryDelay(failed, retries, Math.random()) : 0
    return { isTaken: false, failures: failed, dueAt: new Date(now.getTime() + delay) }
  },
  heldBy: ({ id, attempts }) => ({ id, attempts, isTaken: true }),
}
