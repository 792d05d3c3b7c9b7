import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

export interface TranslationRow {
  id: string
  organizationId: string
  sourceSpaceId: string
  sourceLanguage: string
  targetSpaceId: string
  language: string
  /** A document. */
  instructions: object
  status: 'pending' | 'running' | 'completed'
  /** The main content of the source that the last run brought over; null before the first. */
  sourceRevision: string | null
  /** The time of the last change of the source's main content; null if there was none since the translation was created. */
  sourceChangedAt: Date | null
  /** The revision that the last run made, before the edits of people: the next one compares the target with it. */
  machineRevision: string
  /** Hash of the instructions and the glossary that the last run had. */
  settings: string
  /** Pages and reusable contents of the source with texts that the last run could not translate. */
  unfinished: string[]
  runs: number
  totalWords: number
  totalPages: number
  totalDuration: number
  latestDuration: number
  latestPages: number
  latestWords: number
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

export const TranslationEntity = new EntitySchema<TranslationRow>({
  name: 'Translation',
  tableName: 'translations',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    sourceSpaceId: { type: 'text', name: 'source_space_id' },
    sourceLanguage: { type: 'text', name: 'source_language' },
    targetSpaceId: { type: 'text', name: 'target_space_id' },
    language: { type: 'text' },
    instructions: { type: 'jsonb' },
    status: { type: 'text' },
    sourceRevision: { type: 'text', name: 'source_revision', nullable: true },
    sourceChangedAt: { type: 'timestamptz', precision: 3, name: 'source_changed_at', nullable: true },
    machineRevision: { type: 'text', name: 'machine_revision' },
    settings: { type: 'text' },
    unfinished: { type: 'text', array: true },
    runs: { type: 'int' },
    totalWords: { type: 'int', name: 'total_words' },
    totalPages: { type: 'int', name: 'total_pages' },
    totalDuration: { type: 'int', name: 'total_duration' },
    latestDuration: { type: 'int', name: 'latest_duration' },
    latestPages: { type: 'int', name: 'latest_pages' },
    latestWords: { type: 'int', name: 'latest_words' },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<TranslationRow>,
})
