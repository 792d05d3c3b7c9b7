import type { Transaction } from '@recto/database'
import { Failure, toFailure } from '@recto/operation'
import type { RunTransaction } from '@recto/service'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { MachineContent } from './machine-content.ts'
import { newRun, statusAfter } from './request-run.ts'
import type { Sent } from './text-translator.ts'
import type { TranslationRow } from './translation.entity.ts'
import type { TranslationNote, TranslationRunRow } from './translation-run.entity.ts'
import * as runs from './translation-runs.repository.ts'
import * as translations from './translations.repository.ts'
import type { Written } from './write-target.ts'

/** Failures and kept texts that a run shows, of each. */
const mostNotes = 200

/** The result of a run. */
export interface RunResult {
  run: TranslationRunRow
  translation: TranslationRow
  source: RevisionRow
  machine: MachineContent
  /** Hash of what it was made with. */
  settings: string
  sent: Sent
  written: Written
  kept: TranslationNote[]
}

/** Ends a run with what it wrote, and starts the next one if it was asked for meanwhile; false when the run is not this attempt's any more. */
export async function endRun(tx: Transaction, result: RunResult): Promise<boolean> {
  const { run, source, machine, written, kept, sent } = result
  const now = new Date()
  const isRepeated = (await runs.lock(tx, run.id))?.isRepeated === true
  const isHeld = await runs.updateLeased(
    tx,
    { id: run.id, attempt: run.attempts },
    {
      ...{ state: 'success', completedAt: now, error: null, ...sent, isRepeated: false },
      ...{ sourceRevision: source.id, revision: written.revision, done: countOf(machine), total: countOf(machine) },
      ...{ failures: machine.failures.slice(0, mostNotes), kept: kept.slice(0, mostNotes) },
      notes: machine.failures.length + kept.length,
    },
  )
  if (!isHeld) return false
  await translations.update(tx, result.translation.id, { ...changesOf(result, now), status: 'completed' })
  if (isRepeated) await repeat(tx, run)
  return true
}

function countOf({ pages, reusable }: MachineContent): number {
  return pages.size + reusable.size
}

function changesOf({ translation, run, source, machine, settings, written, sent }: RunResult, now: Date) {
  const seconds = Math.round((now.getTime() - (run.startedAt ?? now).getTime()) / 1_000)
  return {
    ...{
      sourceRevision: source.id,
      machineRevision: written.machineRevision,
      settings,
      unfinished: machine.unfinished,
    },
    ...{
      runs: translation.runs + 1,
      latestDuration: seconds,
      latestPages: written.changedPages,
      latestWords: sent.words,
    },
    totalDuration: translation.totalDuration + seconds,
    totalPages: written.allPages,
    totalWords: translation.totalWords + sent.words,
    updatedAt: now,
  }
}

async function repeat(tx: Transaction, { translationId, createdBy }: TranslationRunRow): Promise<void> {
  await runs.insert(tx, newRun({ translationId, createdBy }))
  await translations.update(tx, translationId, { status: 'running' })
}

/** Ends a run that failed, or hands it back to the queue when the service stops, or another attempt may succeed. */
export async function failRun(
  { transaction }: { transaction: RunTransaction },
  failed: { run: TranslationRunRow; reason: unknown; progress: Partial<TranslationRunRow>; isStopping: boolean },
): Promise<void> {
  const { run, reason, isStopping, progress } = failed
  const failure = toFailure(reason)
  const isFinal = !isStopping && reason instanceof Failure && failure.code !== 'internal'
  const error = { code: failure.code, message: failure.message }
  await transaction(async tx => {
    const translation = await translations.lock(tx, run.translationId)
    const changes: Partial<TranslationRunRow> = isFinal
      ? { ...progress, state: 'failure', error, completedAt: new Date() }
      : { ...progress, state: 'queued', heartbeatAt: null, ...(isStopping && { attempts: run.attempts - 1 }) }
    const isHeld = await runs.updateLeased(tx, { id: run.id, attempt: run.attempts }, changes)
    if (isHeld && isFinal && translation)
      await translations.update(tx, translation.id, { status: statusAfter(translation) })
  })
}
