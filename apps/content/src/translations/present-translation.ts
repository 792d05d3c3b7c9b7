import type { glossary, translations } from '@recto/contracts-content'
import type { JSONDocument } from '@recto/markdown'
import { failureStatus, type Output } from '@recto/operation'
import type { Role } from '@recto/actor'
import type { GlossaryEntryRow } from './glossary-entry.entity.ts'
import type { TranslationRow } from './translation.entity.ts'
import type { TranslationRunRow } from './translation-run.entity.ts'
import { translationCan } from './translations.policy.ts'

/** A translation as the API shows it. */
export function presentTranslation(
  row: TranslationRow,
  { role, revision, publicUrl }: { role: Role; revision: string; publicUrl: string },
): Output<typeof translations.getTranslation> {
  return {
    object: 'translation',
    id: row.id,
    status: row.status,
    source: { space: row.sourceSpaceId, language: row.sourceLanguage as 'en' },
    language: row.language as 'en',
    instructions: row.instructions as JSONDocument,
    result: { space: row.targetSpaceId, revision, language: row.language as 'en' },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    stats: {
      runs: row.runs,
      totalWords: row.totalWords,
      totalPages: row.totalPages,
      totalDuration: row.totalDuration,
      latestRunDuration: row.latestDuration,
      latestPages: row.latestPages,
      latestWords: row.latestWords,
    },
    permissions: { view: translationCan.view(role), edit: translationCan.edit(role) },
    urls: { location: locationOf(row, publicUrl) },
  }
}

/** The URL of a translation. */
export function locationOf(row: Pick<TranslationRow, 'id' | 'organizationId'>, publicUrl: string): string {
  return `${publicUrl}/v1/orgs/${row.organizationId}/translations/${row.id}`
}

/** A run as the API shows it. */
export function presentRun(row: TranslationRunRow): Output<typeof translations.getTranslationRun> {
  const { id, state, done, total, segments, characters, error, failures, kept, notes } = row
  return {
    object: 'translation-run',
    id,
    state,
    progress: { done, total },
    sent: { segments, characters },
    createdAt: row.createdAt.toISOString(),
    ...(row.startedAt && { startedAt: row.startedAt.toISOString() }),
    ...(row.completedAt && { completedAt: row.completedAt.toISOString() }),
    ...(row.sourceRevision !== null && { sourceRevision: row.sourceRevision }),
    ...(row.revision !== null && { revision: row.revision }),
    ...(error && { error: { code: failureStatus[error.code], message: error.message } }),
    failures,
    kept,
    notes,
  }
}

/** An entry of the glossary as the API shows it. */
export function presentEntry(row: GlossaryEntryRow, publicUrl: string): Output<typeof glossary.getGlossaryEntry> {
  const { id, organizationId, translations } = row
  return {
    object: 'glossary-entry',
    id,
    translations,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    urls: { location: `${publicUrl}/v1/orgs/${organizationId}/translations-glossary/${id}` },
  }
}
