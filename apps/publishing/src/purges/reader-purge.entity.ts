import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A site or space that readers have to read again. */
export interface ReaderPurgeRow {
  /** A tag of readers' caches, such as `site:<id>`. */
  tag: string
  /** Another one for each request: what a reader did before does not count for it. */
  generation: string
  requestedAt: Date
  /** URLs of the readers that did. */
  doneBy: string[]
}

export const ReaderPurgeEntity = new EntitySchema<ReaderPurgeRow>({
  name: 'ReaderPurge',
  tableName: 'reader_purges',
  columns: {
    tag: { type: 'text', primary: true },
    generation: { type: 'text' },
    requestedAt: { type: 'timestamptz', precision: 3, name: 'requested_at' },
    doneBy: { type: 'text', array: true, name: 'done_by' },
  } satisfies EntityColumns<ReaderPurgeRow>,
})
