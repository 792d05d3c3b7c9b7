import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { Outline } from './outline.rules.ts'

export interface VersionRow {
  id: string
  specId: string
  /** SHA-256 of its content, by which the content is stored. */
  hash: string
  /** The source that it was read from, as it was set; null for a text, and where a version before this one read it. */
  sourceUrl: string | null
  /** The same, for a version before this one, which writes where redirects led; null for a text. */
  url: string | null
  /** The parts of it that become pages; null for a version from before there were outlines. */
  outline: Outline | null
  createdAt: Date
}

export const VersionEntity = new EntitySchema<VersionRow>({
  name: 'Version',
  tableName: 'openapi_spec_versions',
  columns: {
    id: { type: 'text', primary: true },
    specId: { type: 'text', name: 'spec_id' },
    hash: { type: 'text' },
    sourceUrl: { type: 'text', name: 'source_url', nullable: true },
    url: { type: 'text', nullable: true },
    outline: { type: 'jsonb', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<VersionRow>,
})
