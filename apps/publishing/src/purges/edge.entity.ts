import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { PlaceRow } from './purge-places.repository.ts'

/** A cache in front of readers, for all replicas of this service together. */
export interface EdgeRow extends PlaceRow {
  /** Its kind and what the kind knows it by, such as `fastly:<service>`. */
  id: string
}

export const EdgeEntity = new EntitySchema<EdgeRow>({
  name: 'Edge',
  tableName: 'edges',
  columns: {
    id: { type: 'text', primary: true },
    attempts: { type: 'int' },
    nextAttemptAt: { type: 'timestamptz', precision: 3, name: 'next_attempt_at' },
  } satisfies EntityColumns<EdgeRow>,
})
