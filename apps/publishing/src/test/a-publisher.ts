import { migrate, query, transact, type Transaction } from '@recto/database'
import { startDatabaseService, type RunningService } from '@recto/service'
import { createLog } from '@recto/telemetry'
import { aDatabase, eventually } from '@recto/testing'
import { expect } from '@jest/globals'
import { publishingDatabase } from '../database.ts'

/** A service with an outbox of its own that runs under the name and the permissions of another one. */
export interface Publisher {
  publish(write: (tx: Transaction) => Promise<void>): Promise<void>
  /** Resolves when publishing has acknowledged everything. */
  allAcknowledged(): Promise<void>
  stop(): Promise<void>
}

/** Starts a publisher of the events of content, or of another service. */
export async function aPublisher(natsUrl: string, name = 'content'): Promise<Publisher> {
  const database = await aDatabase({
    template: 'publishing',
    migrate: async url => void (await migrate(publishingDatabase(url))),
  })
  const service: RunningService = await startDatabaseService({
    name,
    natsUrl,
    secret: ['a secret of at least 32 characters'],
    redeliverAfter: 0.5,
    database: publishingDatabase(database.url, { poolSize: 3 }),
    log: createLog({ service: name, level: 'silent' }),
    api: { operations: {}, handlers: {} },
    build: () => ({ context: base => base }),
  })
  return {
    publish: write => transact(service.db, () => undefined, write),
    allAcknowledged: () =>
      eventually(async () =>
        expect(
          await query(
            service.db,
            `select id from outbox where done_at is null and not 'publishing' = any(acknowledged_by)`,
          ),
        ).toEqual([]),
      ),
    stop: async () => {
      await service.stop()
      await database.drop()
    },
  }
}
