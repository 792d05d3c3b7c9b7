import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A file that its creator uploads to put it into a space. */
export interface UploadRow {
  id: string
  organizationId: string
  createdBy: string
  /** Name and type as the creator declared them. */
  name: string
  contentType: string
  /** Bytes. */
  size: number
  /** The blob; null until all bytes are stored. */
  hash: string | null
  createdAt: Date
  expiresAt: Date
}

export const UploadEntity = new EntitySchema<UploadRow>({
  name: 'Upload',
  tableName: 'uploads',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    createdBy: { type: 'text', name: 'created_by' },
    name: { type: 'text' },
    contentType: { type: 'text', name: 'content_type' },
    size: { type: 'int' },
    hash: { type: 'text', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    expiresAt: { type: 'timestamptz', precision: 3, name: 'expires_at' },
  } satisfies EntityColumns<UploadRow>,
})
