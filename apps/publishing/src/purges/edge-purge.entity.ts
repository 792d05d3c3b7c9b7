import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A tag whose answers an edge has to drop. */
export interface EdgePurgeRow {
  edge: string
  tag: string
  /** Another one for each request: what the edge did before does not count for it. */
  generation: string
  /** The oldest request that the edge has not taken. */
  waitsSince: Date
  /** How often the edge took the latest request. */
  round: number
  dueAt: Date
}

export const EdgePurgeEntity = new EntitySchema<EdgePurgeRow>({
  name: 'EdgePurge',
  tableName: 'edge_purges',
  columns: {
    edge: { type: 'text', primary: true },
    tag: { type: 'text', primary: true },
    generation: { type: 'text' },
    waitsSince: { type: 'timestamptz', precision: 3, name: 'waits_since' },
    round: { type: 'int' },
    dueAt: { type: 'timestamptz', precision: 3, name: 'due_at' },
  } satisfies EntityColumns<EdgePurgeRow>,
})
