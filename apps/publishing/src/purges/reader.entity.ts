import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { PlaceRow } from './purge-places.repository.ts'

/** A reader of published sites, for all replicas of this service together. */
export interface ReaderRow extends PlaceRow {
  url: string
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
