import { setTimeout as sleep } from 'node:timers/promises'
import { gitJobs } from '@recto/contracts-git-worker-bus'
import type { Db, Transaction } from '@recto/database'
import { toFailure } from '@recto/operation'
import type { RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import * as operations from '../operations/git-operations.repository.ts'
import { dispatch } from '../queue/queue.ts'
import type { ContentCalls } from '../shared/context.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { isTakenOver, lockHandOver, recordTakeOver } from './hand-over.repository.ts'

const retryMs = 1_000
const warningMs = 30_000

interface Tools {
  db: Db
  transaction: RunTransaction
  content: ContentCalls
  log: Pick<Log, 'info' | 'warn'>
  /** Aborts when the process stops. */
  signal: AbortSignal
}

type Row = Record<string, unknown>

const tables = {
  // The version before counted attempts only, so each of them counts as a lease.
  git_operations: (tx: Db, rows: Row[]) =>
    operations.insertColumns(
      tx,
      rows.map(row => ({ ...row, leases: row.attempts })),
    ),
  git_syncs: (tx: Db, rows: Row[]) => syncs.insertColumns(tx, rows),
}

/**
 * Takes over, once, the operations and synchronisations that the version before stored in content. Until content of this version answers,
 * nothing happens here, and the version before goes on; after its answer, the version before cannot write them.
 */
export async function takeOver(tools: Tools): Promise<void> {
  for (let warnedAt = -Infinity; !(await isTakenOver(tools.db));) {
    try {
      return await copyAll(tools)
    } catch (error) {
      const { code } = toFailure(error)
      if (code !== 'unavailable' && code !== 'timeout') throw error
      if (performance.now() - warnedAt > warningMs) {
        tools.log.warn({ err: error }, 'content does not hand over git operations yet, waiting')
        warnedAt = performance.now()
      }
      await sleep(retryMs, undefined, { signal: tools.signal })
    }
  }
}

async function copyAll({ transaction, content, log }: Tools): Promise<void> {
  let count = 0
  for (const table of ['git_operations', 'git_syncs'] as const) {
    for (let after = ''; ;) {
      const { rows } = await content.handOverGit({ body: { table, after } })
      if (rows.length === 0) break
      await transaction(tx => runUnlessTakenOver(tx, () => tables[table](tx, rows)))
      after = String(rows.at(-1)?.id)
      count += rows.length
    }
  }
  await transaction(tx => runUnlessTakenOver(tx, () => resumeOperations(tx)))
  log.info({ rows: count }, 'git operations and synchronisations are taken over from content')
}

/** Works under the lock of the hand-over, unless another replica has finished it: that replica may have changed the rows since. */
async function runUnlessTakenOver(tx: Transaction, work: () => Promise<void>): Promise<void> {
  await lockHandOver(tx)
  if (!(await isTakenOver(tx))) await work()
}

/** Dispatches again the operations and polls that were dispatched, and requests a decision for all synchronisations. */
async function resumeOperations(tx: Transaction): Promise<void> {
  for (const operation of await operations.listDispatched(tx)) await dispatch(tx, operation)
  for (const { id } of await syncs.listPolled(tx)) await tx.enqueue(gitJobs.pollBranch, id, { syncId: id })
  await syncs.requestAllDecisions(tx)
  await recordTakeOver(tx)
}
