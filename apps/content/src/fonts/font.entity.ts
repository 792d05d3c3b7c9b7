import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** One weight of a font, and the blob of its file. */
export interface FontFace {
  weight: number
  hash: string
  format: 'woff2' | 'woff'
}

/** A font of an organization. */
export interface FontRow {
  id: string
  organizationId: string
  family: string
  /** Sorted by weight. */
  faces: FontFace[]
  createdAt: Date
}

export const FontEntity = new EntitySchema<FontRow>({
  name: 'CustomFont',
  tableName: 'custom_fonts',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    family: { type: 'text' },
    faces: { type: 'jsonb' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<FontRow>,
})
