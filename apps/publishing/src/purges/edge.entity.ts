import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A cache in front of readers, for all replicas of this service together. */
export interface EdgeRow {
  /** Its kind and what the kind knows it by, such as `fastly:<service>`. */
  id: string
  /** Requests in a row that failed. */
  attempts: number
  /** When the next request may be sent: a replica that sends one puts it off for as long as it may take. */
  nextAttemptAt: Date
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
