import type { Db } from '@recto/database'
import type { RunTransaction } from '@recto/service'
import * as operations from './git-operations.repository.ts'
import { leaseLength, maxAttempts } from './git-operations.rules.ts'
import { end } from './queue.ts'

const every = 5_000
const keptDays = 7

interface Tools {
  db: Db
  transaction: RunTransaction
  log: { warn(details: object, message: string): void }
}

/** Ends operations whose worker fell silent at its last attempt, and forgets the secrets of those that failed long ago. */
export function watchOperations({ log, ...tools }: Tools): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = sweep(tools).catch((error: unknown) => log.warn({ err: error }, 'git operations could not be watched'))
  }, every)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

async function sweep({ db, transaction }: Omit<Tools, 'log'>): Promise<void> {
  for (const operation of await operations.silent(db, { attempts: maxAttempts, seconds: (leaseLength * 2) / 1000 })) {
    await transaction(async tx => {
      const held = await operations.lock(tx, operation.id)
      if (held?.state !== 'running') return
      await end(tx, held, {
        state: 'failure',
        error: held.error ?? { code: 'gave_up', message: 'The worker stopped answering' },
      })
    })
  }
  await operations.forgetCredentials(db, keptDays)
}
