import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A reader of published sites, for all replicas of this service together. */
export interface ReaderRow {
  url: string
  /** Requests in a row that failed. */
  attempts: number
  /** When the next request may be sent: a replica that sends one puts it off for as long as it may take. */
  nextAttemptAt: Date
}

export const ReaderEntity = new EntitySchema<ReaderRow>({
  name: 'Reader',
  tableName: 'readers',
  columns: {
    url: { type: 'text', primary: true },
    attempts: { type: 'int' },
    nextAttemptAt: { type: 'timestamptz', precision: 3, name: 'next_attempt_at' },
  } satisfies EntityColumns<ReaderRow>,
})
