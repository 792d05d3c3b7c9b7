import { createHash } from 'node:crypto'
import type { Db } from '@recto/database'
import { createWorker, type RunningJob, type Worker } from '@recto/jobs'
import { textOf } from '@recto/markdown'
import { actorOf, Failure, runWithOrigin } from '@recto/operation'
import type { RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import * as spaces from '../resources/spaces.repository.ts'
import type { MarkdownPool } from '../documents/parse-once.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { Engine } from './engines/engine.ts'
import { requireRunnable } from './find-translation.ts'
import { endFailed, endRun, failRun, type RunResult } from './end-run.ts'
import * as glossary from './glossary.repository.ts'
import { type MachineContent, translateContent } from './machine-content.ts'
import { mergeIntoTarget } from './merge-target.ts'
import { planRun } from './run-plan.ts'
import { TextTranslator } from './text-translator.ts'
import type { TranslationRow } from './translation.entity.ts'
import type { TranslationRunRow } from './translation-run.entity.ts'
import * as runs from './translation-runs.repository.ts'
import * as translations from './translations.repository.ts'
import { currentTarget, writeTarget } from './write-target.ts'

/** Merges that one run tries into a target that people edit at the same time. */
const maxMerges = 20

/** The tools of the translator. */
export interface TranslatorTools {
  db: Db
  transaction: RunTransaction
  log: Pick<Log, 'warn' | 'error'>
  markdown: MarkdownPool
  engine: Engine
  bounds: { segments: number; characters: number }
  timeoutMs: number
  concurrency: number
}

/** Works on runs of translations in this process. */
export type Translator = Worker

/** Creates the translator, which starts nothing by itself. */
export function createTranslator(tools: TranslatorTools): Translator {
  const { db, transaction, log, timeoutMs, concurrency } = tools
  return createWorker<TranslationRunRow>({
    name: 'translations',
    table: runs.runJobs,
    wokenBy: ['translation_runs'],
    db,
    transaction,
    log,
    concurrency,
    timeoutMs,
    every: 5_000,
    heartbeat: 2_000,
    late: new Failure('timeout', 'The run took too long'),
    async beforeTaking(tx, id) {
      // No sweep frees the content that the run finds stored, until it ends.
      await lockContent(tx)
      const run = await runs.find(tx, id)
      if (run) await translations.lock(tx, run.translationId)
    },
    started: ({ startedAt }) => ({ isRepeated: false, startedAt: startedAt ?? new Date() }),
    attempt: (run, job) =>
      runWithOrigin({ actor: actorOf({ userId: run.createdBy }) }, () => translate(tools, { run, job })).catch(
        async (error: unknown) => {
          // Texts that were sent count for all attempts.
          if (Object.keys(job.progress).length > 0) await job.save(job.progress)
          throw error
        },
      ),
    fail: (run, { reason, job }) => failRun(tools, { run, reason, job }),
    giveUp: (tx, run) => endFailed(tx, run, { code: 'internal', message: 'The run was interrupted several times' }),
  })
}

interface Attempt {
  run: TranslationRunRow
  job: RunningJob<TranslationRunRow>
}

async function translate(tools: TranslatorTools, { run, job }: Attempt): Promise<void> {
  const { db } = tools
  const { signal, progress } = job
  const { translation, source, before, base } = await openTranslation(tools, run)
  const { translator, settings } = await textTranslator(tools, { translation, run, signal })
  const affectsAll = !before || settings !== translation.settings
  const { unfinished } = translation
  const plannedRecords = await planRun(db, { before, source, unfinished, affectsAll })
  const report = async (done: number) => {
    signal.throwIfAborted()
    Object.assign(progress, { done, total: plannedRecords.length, ...translator.sent })
    await job.save({ ...progress, heartbeatAt: new Date() })
  }
  const translating = translateContent({ ...tools, translator, report }, plannedRecords)
  const machine = await translating.finally(() => Object.assign(progress, translator.sent))
  await write(tools, { run, job, translation, source, base, machine, settings, sentCounts: translator.sent })
}

/** A translation with its source, now and at the last run, and the result of that run. */
async function openTranslation({ db }: TranslatorTools, run: TranslationRunRow) {
  const translation = await translations.find(db, run.translationId)
  if (!translation) throw new Failure('not_found', 'There is no such translation')
  const space = await spaces.find(db, translation.sourceSpaceId)
  const target = await spaces.find(db, translation.targetSpaceId)
  requireRunnable({ translation, source: space, target })
  const source = await revisions.get(db, space?.revision ?? '')
  const { sourceRevision, machineRevision } = translation
  const before = sourceRevision === null ? undefined : await revisions.find(db, sourceRevision)
  return { translation, source, before, base: await revisions.get(db, machineRevision) }
}

async function textTranslator(
  { db, engine, bounds }: TranslatorTools,
  { translation, run, signal }: { translation: TranslationRow; run: TranslationRunRow; signal: AbortSignal },
): Promise<{ translator: TextTranslator; settings: string }> {
  const { id, organizationId, sourceLanguage: from, language: to } = translation
  const terms = await glossary.termsBetween(db, organizationId, { from, to })
  const instructions = engine.takesInstructions ? textOf(translation.instructions as never).trim() : ''
  const tools = { db, engine, bounds, translationId: id, settings: { from, to, instructions }, terms, signal }
  const settings = createHash('sha256')
    .update(JSON.stringify([terms, instructions]))
    .digest('base64url')
  const { segments, characters, words } = run
  return { translator: new TextTranslator(tools, { segments, characters, words }), settings }
}

interface RunOutput extends Omit<RunResult, 'writeResult' | 'kept'> {
  source: RevisionRow
  base: RevisionRow
  machine: MachineContent
}

/** Writes the result of the run into the target and ends the run, in one transaction; tries again when people edited the target meanwhile. */
async function write(tools: TranslatorTools, output: RunOutput): Promise<void> {
  const { db, transaction } = tools
  const { translation, run } = output
  for (let tries = 0; tries < maxMerges; tries += 1) {
    const target = await currentTarget(db, translation)
    const mergedContent = target.id === output.base.id ? undefined : await mergeIntoTarget(tools, { ...output, target })
    const isWritten = await transaction(async tx => {
      await translations.lock(tx, translation.id)
      const writeResult = await writeTarget(tx, {
        ...output,
        target,
        merged: mergedContent,
        createdBy: run.createdBy,
      })
      if (!writeResult) return false
      await endRun(tx, { ...output, writeResult, kept: mergedContent?.kept ?? [] })
      return true
    })
    if (isWritten) return
  }
  throw new Failure('conflict', 'The target was edited again and again: run again')
}
