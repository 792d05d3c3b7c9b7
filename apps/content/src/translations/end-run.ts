import type { Transaction } from '@recto/database'
import type { RunningJob } from '@recto/jobs'
import { Failure } from '@recto/operation'
import type { RunTransaction } from '@recto/service'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { MachineContent } from './machine-content.ts'
import { newRun, statusAfter } from './request-run.ts'
import type { Sent } from './text-translator.ts'
import type { TranslationRow } from './translation.entity.ts'
import type { TranslationNote, TranslationRunRow } from './translation-run.entity.ts'
import { recordRunEnd, recordRunStart } from './translation-records.ts'
import * as runs from './translation-runs.repository.ts'
import * as translations from './translations.repository.ts'
import type { WriteResult } from './write-target.ts'

/** Failures, and kept texts, that a run shows. */
const maxNotes = 200

/** The result of a run. */
export interface RunResult {
  run: TranslationRunRow
  job: RunningJob<TranslationRunRow>
  translation: TranslationRow
  source: RevisionRow
  machine: MachineContent
  /** Hash of the instructions and the glossary of the run. */
  settings: string
  sentCounts: Sent
  writeResult: WriteResult
  kept: TranslationNote[]
}

/** Ends a run with what it wrote, and starts the next one if it was asked for meanwhile; throws when the run is not this attempt's any more. */
export async function endRun(tx: Transaction, result: RunResult): Promise<void> {
  const { run, job, source, machine, writeResult, kept, sentCounts } = result
  const now = new Date()
  const isRepeated = (await runs.lock(tx, run.id))?.isRepeated === true
  await job.finish(tx, {
    state: 'success',
    completedAt: now,
    error: null,
    ...sentCounts,
    isRepeated: false,
    sourceRevision: source.id,
    revision: writeResult.revision,
    done: countOf(machine),
    total: countOf(machine),
    failures: machine.failures.slice(0, maxNotes),
    kept: kept.slice(0, maxNotes),
    notes: machine.failures.length + kept.length,
  })
  await translations.update(tx, result.translation.id, { ...changesOf(result, now), status: 'completed' })
  recordRunEnd(tx, result.translation, { ...run, status: 'success' })
  if (isRepeated) await repeat(tx, result)
}

function countOf({ pages, reusable }: MachineContent): number {
  return pages.size + reusable.size
}

function changesOf({ translation, run, source, machine, settings, writeResult, sentCounts }: RunResult, now: Date) {
  const seconds = Math.round((now.getTime() - (run.startedAt ?? now).getTime()) / 1_000)
  return {
    sourceRevision: source.id,
    machineRevision: writeResult.machineRevision,
    settings,
    unfinished: machine.unfinished,
    runs: translation.runs + 1,
    latestDuration: seconds,
    latestPages: writeResult.changedPages,
    latestWords: sentCounts.words,
    totalDuration: translation.totalDuration + seconds,
    totalPages: writeResult.allPages,
    totalWords: translation.totalWords + sentCounts.words,
    updatedAt: now,
  }
}

async function repeat(tx: Transaction, { translation, run: { createdBy } }: RunResult): Promise<void> {
  const next = newRun({ translationId: translation.id, createdBy })
  await runs.insert(tx, next)
  await translations.update(tx, translation.id, { status: 'running' })
  recordRunStart(tx, translation, next)
}

/** Ends a run that failed for a reason that another attempt would meet, too; resolves to whether it has. */
export async function failRun(
  { transaction }: { transaction: RunTransaction },
  { run, reason, job }: { run: TranslationRunRow; reason: unknown; job: RunningJob<TranslationRunRow> },
): Promise<boolean> {
  if (!(reason instanceof Failure) || reason.code === 'internal') return false
  const error = { code: reason.code, message: reason.message }
  await transaction(async tx => {
    await translations.lock(tx, run.translationId)
    await job.finish(tx, { ...job.progress, error })
    await endFailed(tx, run, error)
  })
  return true
}

/** Ends a run without a result. */
export async function endFailed(
  tx: Transaction,
  { id, translationId, createdBy }: TranslationRunRow,
  error: NonNullable<TranslationRunRow['error']>,
): Promise<void> {
  await runs.update(tx, id, { state: 'failure', error, completedAt: new Date() })
  const translation = await translations.find(tx, translationId)
  if (!translation) return
  await translations.update(tx, translationId, { status: statusAfter(translation) })
  recordRunEnd(tx, translation, { id, createdBy, status: 'failure' })
}
