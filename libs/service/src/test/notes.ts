import {
  idempotencyTable,
  messagingTables,
  serviceEntities,
  outboxTrace,
  query,
  recordTable,
  wakeFunction,
  type DatabaseOptions,
} from '@recto/database'
import { events, Failure, jobs, operations, type Answers, type Operations } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import { z } from 'zod'
import {
  EventReactionEntity,
  implementEvents,
  reactionTable,
  startDatabaseService,
  type DatabaseService,
  type RunningService,
  type ServiceContext,
} from '../index.ts'

interface Runner {
  query(sql: string): Promise<unknown>
}

class CreateNotes1700000000000 {
  async up(runner: Runner): Promise<void> {
    for (const statement of [
      ...messagingTables,
      outboxTrace,
      ...idempotencyTable,
      ...recordTable,
      wakeFunction,
      ...reactionTable,
    ])
      await runner.query(statement)
    await runner.query('create table note (id text not null)')
  }
  async down(): Promise<void> {}
}

/** The database of a writer or of a reader of notes. */
export function notesAt(url: string): DatabaseOptions {
  return {
    url,
    entities: [...serviceEntities, EventReactionEntity],
    migrations: [CreateNotes1700000000000 as never],
    poolSize: 5,
  }
}

export const noteEvents = events({
  noteWritten: {
    subject: 'events.writer.note.written',
    summary: 'A note was written',
    payload: z.object({ id: z.string() }),
    consumers: ['reader', 'archive'],
  },
})
export const writerApi = operations({
  writeNote: {
    route: 'POST /notes',
    summary: 'Write a note',
    body: z.object({ id: z.string(), fail: z.boolean().default(false) }),
    reply: z.object({ id: z.string() }),
    errors: ['conflict'],
    access: { public: true },
  },
  printNote: {
    route: 'POST /notes/{id}/print',
    summary: 'Print a note',
    reply: z.object({}),
    access: { public: true },
  },
})
const noteJobs = jobs({
  printNote: {
    subject: 'jobs.writer.print',
    summary: 'Print a note',
    payload: z.object({ id: z.string() }),
    consumer: 'printer',
  },
})
type Handlers = Answers<ServiceContext>['handlers']
const log = createLog({ service: 'notes', level: 'silent' })

async function writeNote({ body }: { body: { id: string; fail: boolean } }, { transaction }: ServiceContext) {
  await transaction(async tx => {
    await query(tx, 'insert into note (id) values ($1)', [body.id])
    await tx.publish(noteEvents.noteWritten, { id: body.id })
    if (body.fail) throw new Failure('conflict', 'No such note')
  })
  return { id: body.id }
}

async function printNote({ params: { id } }: { params: { id: string } }, { transaction }: ServiceContext) {
  await transaction(tx => tx.enqueue(noteJobs.printNote, id, { id }))
  return {}
}

interface Where {
  natsUrl: string
  url: string
}

/** Starts any service of the tests. */
export function startToy(
  { natsUrl, url }: Where,
  more: Partial<DatabaseService<ServiceContext>> & { name: string },
): Promise<RunningService> {
  const none: Operations = {}
  return startDatabaseService({
    natsUrl,
    database: notesAt(url),
    secret: ['a secret of at least 32 characters'],
    log,
    api: { operations: none, handlers: {} },
    build: () => ({ context: base => base }),
    strict: true,
    ...more,
  })
}

/** Writes notes and publishes that they were written. */
export function startWriter(where: Where): Promise<RunningService> {
  return startToy(where, {
    name: 'writer',
    redeliverAfter: 0.5,
    api: { operations: writerApi, handlers: { writeNote, printNote } as unknown as Handlers },
  })
}

/** Keeps each note whose event it consumes, once; `keep` may fail. */
export function startReader(
  where: Where,
  name: 'reader' | 'archive',
  keep: (id: string) => void = () => undefined,
): Promise<RunningService> {
  const handlers = implementEvents<'reader'>()(noteEvents, {
    async noteWritten({ id }, { tx }) {
      await query(tx, 'insert into note (id) values ($1)', [id])
      keep(id)
    },
  })
  const events = { events: noteEvents, handlers }
  return startToy(where, { name, build: () => ({ context: base => base, events }) })
}
