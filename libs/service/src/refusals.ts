import { transact, type Db } from '@recto/database'
import { Failure, type Answers, type Caller, type Operation, type RecordEntry } from '@recto/operation'
import type { Log } from '@recto/telemetry'
import { oncePerMinute } from './refusals.rules.ts'

/** An operation of the API that was refused to its caller (`forbidden`). */
export interface Refusal<Actor extends Caller = Caller> {
  operationId: string
  row: Operation
  params: Readonly<Record<string, string>>
  actor: Actor
}

interface Tools<Actor extends Caller> {
  /** The change that is recorded for a refusal, if any. */
  entryOf(refusal: Refusal<Actor>): RecordEntry | undefined
  db: Db
  log: Pick<Log, 'warn'>
}

/**
 * The same operations, of which refusals are recorded: one of a caller, an operation and an organization in a minute, so that nobody fills
 * the record. The refusal is answered also when it cannot be recorded.
 */
export function recordingRefusals<Context, Actor extends Caller>(
  { operations, handlers }: Answers<Context>,
  { entryOf, db, log }: Tools<Actor>,
): Answers<Context> {
  const isNew = oncePerMinute()
  const record = async (refusal: Refusal<Actor>): Promise<void> => {
    const entry = entryOf(refusal)
    const { operationId, actor } = refusal
    if (!entry || !isNew(JSON.stringify([entry.organization, operationId, actor.userId]), Date.now())) return
    await transact(
      db,
      () => undefined,
      async tx => tx.record(entry),
    ).catch((err: unknown) => log.warn({ err, operationId }, 'a refusal could not be recorded'))
  }
  const recording = Object.entries(handlers).map(([operationId, handler]) => {
    const row = operations[operationId]
    const handle = async (input: never, context: Context) => {
      try {
        return await handler(input, context)
      } catch (error) {
        const { actor } = context as { actor?: Actor }
        const { params } = input as Pick<Refusal, 'params'>
        if (row && actor && error instanceof Failure && error.code === 'forbidden')
          await record({ operationId, row, params, actor })
        throw error
      }
    }
    return [operationId, handle] as const
  })
  return { operations, handlers: Object.fromEntries(recording) }
}
