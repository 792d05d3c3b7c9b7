import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A PDF of pages of a revision, made or being made. */
export interface PdfRow {
  /** Names the revision, the pages and the layout. */
  key: string
  spaceId: string
  /** The blob; null until it is made. */
  hash: string | null
  /** The reason why it cannot be made. */
  fault: string | null
  /** Time until which one process alone makes it; without meaning once `hash` or `fault` is set. */
  leasedUntil: Date
  expiresAt: Date
}

export const PdfEntity = new EntitySchema<PdfRow>({
  name: 'Pdf',
  tableName: 'pdfs',
  columns: {
    key: { type: 'text', primary: true },
    spaceId: { type: 'text', name: 'space_id' },
    hash: { type: 'text', nullable: true },
    fault: { type: 'text', nullable: true },
    leasedUntil: { type: 'timestamptz', precision: 3, name: 'leased_until' },
    expiresAt: { type: 'timestamptz', precision: 3, name: 'expires_at' },
  } satisfies EntityColumns<PdfRow>,
})
