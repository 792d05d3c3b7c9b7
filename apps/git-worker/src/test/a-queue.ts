import { Failure } from '@recto/operation'
import type { Attempt, AttemptFailure, Attempts, Preparation, Report } from '../attempts/attempts.ts'
import type { ExportResult } from '../exports/export-repository.ts'
import type { ImportResult } from '../imports/import-repository.ts'

/** An operation as a queue hands it out. */
export type Work = Omit<Attempt, 'operationId' | 'lease' | 'organizationId'> & Preparation

type Recorded<T> = T & { operationId: string; attempt: number }

/** A queue that hands out work and records what becomes of it, for tests of what a worker does between the two. */
export interface Queue {
  attempts: Attempts
  /** The work that it hands out, unless a function makes it. */
  work: Work | 'done' | 'busy'
  reports: Recorded<Report>[]
  finished: Recorded<ImportResult>[]
  exported: Recorded<ExportResult & { revision: string }>[]
  failed: Recorded<AttemptFailure>[]
  returned: string[]
  /** Whether the attempt that reports holds the lease. */
  isHeld(report: Report): boolean
}

export function aQueue(work: Queue['work'] | (() => Promise<Queue['work']>)): Queue {
  const queue: Queue = {
    work: typeof work === 'function' ? 'done' : work,
    ...{ reports: [], finished: [], exported: [], failed: [], returned: [] },
    isHeld: () => true,
    attempts: {
      async start(operationId) {
        const given = typeof work === 'function' ? await work() : queue.work
        return typeof given === 'string' ? given : { ...given, operationId, lease: given.attempt }
      },
      async prepare({ operationId: _operation, lease: _lease, ...given }) {
        return given as Work
      },
      async giveBack(operationId) {
        queue.returned.push(operationId)
      },
      undo: async () => undefined,
      async report(attempt, report) {
        queue.reports.push(recorded(attempt, report))
        return queue.isHeld(report)
      },
      bundle: () => Promise.reject(new Failure('not_found', 'There are no documents')),
      describeBase: () => Promise.reject(new Failure('not_found', 'There is no such base')),
      async finishImport(attempt, imported) {
        queue.finished.push(recorded(attempt, imported))
        return { revision: 'revision' }
      },
      async finishExport(attempt, exported) {
        queue.exported.push(recorded(attempt, exported))
        return { revision: 'revision' }
      },
      async fail(attempt, failure) {
        queue.failed.push(recorded(attempt, failure))
        return { retry: failure.retry }
      },
    },
  }
  return queue
}

function recorded<T extends object>({ operationId, attempt }: Pick<Attempt, 'operationId' | 'attempt'>, what: T) {
  return { operationId, attempt, ...what }
}
