import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A translation of a text by an engine; see `memoryKey`. */
export interface TranslationMemoryRow {
  translationId: string
  hash: string
  text: string
}

export const TranslationMemoryEntity = new EntitySchema<TranslationMemoryRow>({
  name: 'TranslationMemory',
  tableName: 'translation_memory',
  columns: {
    translationId: { type: 'text', primary: true, name: 'translation_id' },
    hash: { type: 'text', primary: true },
    text: { type: 'text' },
  } satisfies EntityColumns<TranslationMemoryRow>,
})
