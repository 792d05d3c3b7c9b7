import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A page's Markdown file. */
export interface DocumentRow {
  hash: string
  bytes: Buffer
}

export const DocumentEntity = new EntitySchema<DocumentRow>({
  name: 'Document',
  tableName: 'documents',
  columns: {
    hash: { type: 'text', primary: true },
    bytes: { type: 'bytea' },
  } satisfies EntityColumns<DocumentRow>,
})
