import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { Outline } from './outline.rules.ts'

/** How a raw text is written. */
export type RawFormat = 'json' | 'yaml'

export interface VersionRow {
  id: string
  specId: string
  /** SHA-256 of its content, by which the content is stored. */
  hash: string
  /** SHA-256 of the text that it was read from, without what that refers to; null for a version from before texts were kept. */
  rawHash: string | null
  rawFormat: RawFormat | null
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
    rawHash: { type: 'text', name: 'raw_hash', nullable: true },
    rawFormat: { type: 'text', name: 'raw_format', nullable: true },
    sourceUrl: { type: 'text', name: 'source_url', nullable: true },
    url: { type: 'text', nullable: true },
    outline: { type: 'jsonb', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<VersionRow>,
})
