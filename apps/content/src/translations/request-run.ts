import type { Transaction } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import type { TranslationRow } from './translation.entity.ts'
import type { TranslationRunRow } from './translation-run.entity.ts'
import { recordRunEnd, recordRunStart } from './translation-records.ts'
import * as runs from './translation-runs.repository.ts'
import * as translations from './translations.repository.ts'

/** Requests a run, and returns the one that brings the changes: a waiting one, a running one that is then repeated, or a new one. */
export async function requestRun(
  tx: Transaction,
  { id }: Pick<TranslationRow, 'id'>,
  createdBy: string,
): Promise<TranslationRunRow> {
  const translation = await translations.lock(tx, id)
  if (!translation) throw new Failure('not_found', 'There is no such translation')
  const open = await runs.findOpen(tx, id)
  if (open) {
    if (open.state === 'running') await runs.update(tx, open.id, { isRepeated: true })
    return open
  }
  const run = newRun({ translationId: id, createdBy })
  await runs.insert(tx, run)
  await translations.update(tx, id, { status: 'running' })
  recordRunStart(tx, translation, run)
  return run
}

/** Cancels a run; does nothing when it is cancelled already. Throws `conflict` when it has completed or failed. */
export async function cancelRun(tx: Transaction, { id, translationId }: TranslationRunRow): Promise<void> {
  const translation = await translations.lock(tx, translationId)
  const run = await runs.lock(tx, id)
  if (!translation || !run) throw new Failure('not_found', 'There is no such run')
  if (run.state === 'cancelled') return
  if (run.state !== 'queued' && run.state !== 'running') throw new Failure('conflict', 'The run has ended')
  await runs.update(tx, id, { state: 'cancelled', completedAt: new Date() })
  await translations.update(tx, translationId, { status: statusAfter(translation) })
  recordRunEnd(tx, translation, { id, status: 'cancelled' })
}

/** The status of a translation when a run ends without a result. */
export function statusAfter({ runs: count }: Pick<TranslationRow, 'runs'>): TranslationRow['status'] {
  return count > 0 ? 'completed' : 'pending'
}

/** A run that waits for its turn. */
export function newRun(fields: Pick<TranslationRunRow, 'translationId' | 'createdBy'>): TranslationRunRow {
  return {
    id: createId(),
    ...fields,
    state: 'queued',
    attempts: 0,
    heartbeatAt: null,
    done: 0,
    total: 0,
    segments: 0,
    characters: 0,
    words: 0,
    isRepeated: false,
    createdAt: new Date(),
    startedAt: null,
    completedAt: null,
    sourceRevision: null,
    revision: null,
    error: null,
    failures: [],
    kept: [],
    notes: 0,
  }
}
