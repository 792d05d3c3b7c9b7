import { createHash } from 'node:crypto'
import type { Db } from '@recto/database'
import { textOf } from '@recto/markdown'
import { Failure, toFailure } from '@recto/operation'
import { withLease, type RowLease, type RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import * as spaces from '../resources/spaces.repository.ts'
import type { MarkdownPool } from '../documents/parse-once.ts'
import { createRowQueue, decideAttempt, type RowQueue } from '../queues/row-queue.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { Engine } from './engines/engine.ts'
import { requireRunnable } from './find-translation.ts'
import { endRun, failRun, type RunResult } from './end-run.ts'
import * as glossary from './glossary.repository.ts'
import { type MachineContent, translateContent } from './machine-content.ts'
import { mergeIntoTarget } from './merge-target.ts'
import { statusAfter } from './request-run.ts'
import { planRun } from './run-plan.ts'
import { TextTranslator } from './text-translator.ts'
import type { TranslationRow } from './translation.entity.ts'
import type { TranslationRunRow } from './translation-run.entity.ts'
import * as runs from './translation-runs.repository.ts'
import * as translations from './translations.repository.ts'
import { currentTarget, writeTarget } from './write-target.ts'

/** Attempts of one run before it fails for good. */
const maxAttempts = 5
/** Milliseconds without a sign of life after which another process may take a run over. */
const leaseLength = 10_000
const heartbeat = 2_000
const interval = 5_000
/** How often a run merges into a target that people edit at the same time. */
const maxMerges = 20

/** The tools of the translator. */
export interface TranslatorTools {
  db: Db
  transaction: RunTransaction
  log: Pick<Log, 'warn' | 'error'>
  markdown: MarkdownPool
  /** Without an engine, no run starts. */
  engine: Engine | undefined
  bounds: { segments: number; characters: number }
  timeoutMs: number
  concurrency: number
}

/** Works on runs of translations in this process. */
export type Translator = RowQueue

/** Starts nothing by itself. */
export function createTranslator(tools: TranslatorTools): Translator {
  const { engine, db, log, concurrency } = tools
  return createRowQueue({
    ...{ name: 'translations', every: interval, concurrency, log },
    rows: {
      tables: ['translation_runs'],
      untilDue: async () => (engine ? runs.untilWaiting(db, leaseLength) : Infinity),
    },
    findWaiting: async () => (engine ? runs.findWaiting(db, leaseLength) : []),
    attempt: async (id, stopping) => {
      if (engine) await attempt({ ...tools, engine }, id, stopping)
    },
  })
}

type Tools = TranslatorTools & { engine: Engine }

/** One attempt at a run, if no other process makes one. */
async function attempt(tools: Tools, id: string, stopping: AbortSignal): Promise<void> {
  const run = await take(tools, id)
  if (!run) return
  const progress: Partial<TranslationRunRow> = {}
  await withLease(leaseOf(tools, { run, stopping, progress }), async stop => {
    try {
      await translate(tools, { run, progress, signal: stop.signal })
    } catch (error) {
      const reason: unknown = stop.signal.aborted ? stop.signal.reason : error
      if (reason === lost) return
      const { code } = toFailure(reason)
      if (code === 'internal') tools.log.error({ err: toFailure(reason), run: id }, 'a translation failed')
      await failRun(tools, { run, reason, progress, isStopping: stopping.aborted })
    }
  })
}

const lost = new Failure('conflict', 'The run was cancelled, or another attempt works on it')

/** Takes the lease of a run; undefined when another process has it, or it has ended. */
function take({ transaction }: Tools, id: string): Promise<TranslationRunRow | undefined> {
  return transaction(async tx => {
    // A sweep does not free what the run finds stored, until it ends.
    await lockContent(tx)
    const known = await runs.find(tx, id)
    const translation = known && (await translations.lock(tx, known.translationId))
    const row = translation && (await runs.lock(tx, id))
    const now = new Date()
    const decision = row ? decideAttempt(row, { now, leaseLength, most: maxAttempts }) : 'leave'
    if (!row || decision === 'leave') return undefined
    if (decision === 'give-up') {
      const error = { code: 'internal' as const, message: 'The run was interrupted several times' }
      await runs.update(tx, id, { state: 'failure', error, completedAt: now })
      await translations.update(tx, translation.id, { status: statusAfter(translation) })
      return undefined
    }
    const started = { state: 'running' as const, attempts: row.attempts + 1, heartbeatAt: now, isRepeated: false }
    await runs.update(tx, id, { ...started, startedAt: row.startedAt ?? now })
    return { ...row, ...started, startedAt: row.startedAt ?? now }
  })
}

/** The lease of an attempt, whose signs of life write its progress. */
function leaseOf(
  { db, log, timeoutMs }: Tools,
  { run, stopping, progress }: { run: TranslationRunRow; stopping: AbortSignal; progress: Partial<TranslationRunRow> },
): RowLease {
  const held = { id: run.id, attempt: run.attempts }
  return {
    ...{ stopping, timeoutMs, every: heartbeat, lost },
    late: new Failure('timeout', 'The run took too long'),
    beat: () => runs.updateLeased(db, held, { ...progress, heartbeatAt: new Date() }),
    onError: error => log.warn({ err: error, run: run.id }, 'the progress of a translation was not written'),
  }
}

interface Attempt {
  run: TranslationRunRow
  /** The next fields of the run's row. */
  progress: Partial<TranslationRunRow>
  signal: AbortSignal
}

async function translate(tools: Tools, { run, progress, signal }: Attempt): Promise<void> {
  const { db } = tools
  const { translation, source, before, base } = await openTranslation(tools, run)
  const { translator, settings } = await textTranslator(tools, { translation, run, signal })
  const affectsAll = !before || settings !== translation.settings
  const { unfinished } = translation
  const planned = await planRun(db, { before, source, unfinished, affectsAll })
  const report = async (done: number) => {
    signal.throwIfAborted()
    Object.assign(progress, { done, total: planned.length, ...translator.sent })
    const held = { id: run.id, attempt: run.attempts }
    if (!(await runs.updateLeased(db, held, { ...progress, heartbeatAt: new Date() }))) throw lost
  }
  const translating = translateContent({ ...tools, translator, report }, planned)
  const machine = await translating.finally(() => Object.assign(progress, translator.sent))
  await write(tools, { run, translation, source, base, machine, settings, sent: translator.sent })
}

/** A translation with its source as it is now and as the last run found it, and what that run made of it. */
async function openTranslation({ db }: Tools, run: TranslationRunRow) {
  const translation = await translations.find(db, run.translationId)
  if (!translation) throw new Failure('not_found', 'There is no such translation')
  const [space, target] = [
    await spaces.find(db, translation.sourceSpaceId),
    await spaces.find(db, translation.targetSpaceId),
  ]
  requireRunnable({ translation, source: space, target })
  const source = await revisions.get(db, space?.revision ?? '')
  const { sourceRevision, machineRevision } = translation
  const before = sourceRevision === null ? undefined : await revisions.find(db, sourceRevision)
  return { translation, source, before, base: await revisions.get(db, machineRevision) }
}

async function textTranslator(
  { db, engine, bounds }: Tools,
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

interface Made extends Omit<RunResult, 'written' | 'kept'> {
  source: RevisionRow
  base: RevisionRow
  machine: MachineContent
}

/** Writes what the run made into the target, and ends the run, in one transaction; again when people edited the target meanwhile. */
async function write(tools: Tools, made: Made): Promise<void> {
  const { db, transaction } = tools
  const { translation, run } = made
  for (let tries = 0; tries < maxMerges; tries += 1) {
    const target = await currentTarget(db, translation)
    const merged = target.id === made.base.id ? undefined : await mergeIntoTarget(tools, { ...made, target })
    const isWritten = await transaction(async tx => {
      await translations.lock(tx, translation.id)
      const written = await writeTarget(tx, { ...made, target, merged, createdBy: run.createdBy })
      if (!written) return false
      if (!(await endRun(tx, { ...made, written, kept: merged?.kept ?? [] }))) throw lost
      return true
    })
    if (isWritten) return
  }
  throw new Failure('conflict', 'The target was edited again and again: run again')
}
