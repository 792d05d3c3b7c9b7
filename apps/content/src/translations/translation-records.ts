import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { actorOf } from '@recto/operation'
import type { TranslationRow } from './translation.entity.ts'
import type { TranslationRunRow } from './translation-run.entity.ts'

type TranslationOfRecord = Pick<TranslationRow, 'id' | 'organizationId' | 'targetSpaceId'>

/** A translation as the record names it: who may read its target may read what happens to it. */
const subjectOf = ({ id: translation, organizationId: organization, targetSpaceId: space }: TranslationOfRecord) => ({
  organization,
  space,
  translation,
})

/** Records that a translation was created, updated or deleted. */
export function recordTranslation(
  tx: Transaction,
  action: 'created' | 'updated' | 'deleted',
  { details, ...translation }: TranslationOfRecord & { details?: { fields: string[] } | { source: string } },
): void {
  tx.record(recorded(`translation.${action}`, { ...subjectOf(translation), details }))
}

/** Records that a run of a translation started. */
export function recordRunStart(tx: Transaction, translation: TranslationOfRecord, run: { id: string }): void {
  tx.record(recorded('translation.run.started', { ...subjectOf(translation), translationRun: run.id }))
}

/** Records how a run of a translation ended: as work of who asked for it, unless that is the work of the caller who cancels it. */
export function recordRunEnd(
  tx: Transaction,
  translation: TranslationOfRecord,
  {
    id,
    createdBy,
    status,
  }: Pick<TranslationRunRow, 'id'> & {
    createdBy?: string
    status: 'success' | 'failure' | 'cancelled'
  },
): void {
  const actor = createdBy === undefined ? undefined : actorOf({ userId: createdBy })
  const facts = { ...subjectOf(translation), translationRun: id, details: { status }, actor }
  tx.record(recorded('translation.run.finished', facts))
}
