import type { translationRunStates } from '@recto/contracts-content'
import type { EntityColumns } from '@recto/database'
import type { FailureCode } from '@recto/operation'
import { EntitySchema } from 'typeorm'

/** A text that a run left as it was, and why. */
export interface TranslationNote {
  /** The page of the text; left out for a reusable content. */
  page?: string
  title: string
  text: string
  message: string
}

export interface TranslationRunRow {
  id: string
  translationId: string
  state: (typeof translationRunStates)[number]
  attempts: number
  heartbeatAt: Date | null
  /** Pages that are done, of those that may have changed. */
  done: number
  total: number
  /** Counts of all attempts. */
  segments: number
  characters: number
  words: number
  /** Whether it was asked for again after it had read the source. */
  isRepeated: boolean
  createdBy: string
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
  sourceRevision: string | null
  revision: string | null
  error: { code: FailureCode; message: string } | null
  failures: TranslationNote[]
  kept: TranslationNote[]
  /** All failures and kept texts, of which the lists have the first. */
  notes: number
}

export const TranslationRunEntity = new EntitySchema<TranslationRunRow>({
  name: 'TranslationRun',
  tableName: 'translation_runs',
  columns: {
    id: { type: 'text', primary: true },
    translationId: { type: 'text', name: 'translation_id' },
    state: { type: 'text' },
    attempts: { type: 'int' },
    heartbeatAt: { type: 'timestamptz', precision: 3, name: 'heartbeat_at', nullable: true },
    done: { type: 'int' },
    total: { type: 'int' },
    segments: { type: 'int' },
    characters: { type: 'int' },
    words: { type: 'int' },
    isRepeated: { type: 'boolean', name: 'is_repeated' },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    startedAt: { type: 'timestamptz', precision: 3, name: 'started_at', nullable: true },
    completedAt: { type: 'timestamptz', precision: 3, name: 'completed_at', nullable: true },
    sourceRevision: { type: 'text', name: 'source_revision', nullable: true },
    revision: { type: 'text', nullable: true },
    error: { type: 'jsonb', nullable: true },
    failures: { type: 'jsonb' },
    kept: { type: 'jsonb' },
    notes: { type: 'int' },
  } satisfies EntityColumns<TranslationRunRow>,
})
