import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** Records that all operations and synchronisations of the version before, which content stored, are taken over. */
export interface HandOverRow {
  id: string
  createdAt: Date
}

export const HandOverEntity = new EntitySchema<HandOverRow>({
  name: 'HandOver',
  tableName: 'hand_overs',
  columns: {
    id: { type: 'text', primary: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<HandOverRow>,
})
