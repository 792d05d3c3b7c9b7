import { type Db, mapConstraintErrors, query } from '@recto/database'
import { TranslationMemoryEntity } from './translation-memory.entity.ts'

const gone = {
  translation_memory_translation_id_fkey: { code: 'not_found' as const, message: 'There is no such translation' },
}

/** The remembered translations of some texts, by hash. */
export async function findTexts(db: Db, translationId: string, hashes: string[]): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map()
  const rows = await query<{ hash: string; text: string }>(
    db,
    'select hash, text from translation_memory where translation_id = $1 and hash = any($2)',
    [translationId, hashes],
  )
  return new Map(rows.map(({ hash, text }) => [hash, text]))
}

/** Remembers translations of texts; existing ones stay. Throws `not_found` when the translation is deleted meanwhile. */
export async function saveTexts(db: Db, translationId: string, texts: ReadonlyMap<string, string>): Promise<void> {
  const rows = Array.from(texts, ([hash, text]) => ({ translationId, hash, text }))
  await mapConstraintErrors(gone, () =>
    db.createQueryBuilder().insert().into(TranslationMemoryEntity).values(rows).orIgnore().execute(),
  )
}
