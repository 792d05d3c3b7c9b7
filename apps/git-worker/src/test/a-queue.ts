import { Failure } from '@recto/operation'
import type { Attempt, AttemptFailure, Attempts, Preparation, Report } from '../attempts/attempts.ts'
import type { ExportResult } from '../exports/export-repository.ts'
import type { ImportResult } from '../imports/store-manifest.ts'

/** An operation of a queue. */
export type Work = Omit<Attempt, 'operationId' | 'lease' | 'organizationId'> & Preparation

type Recorded<T> = T & { operationId: string; attempt: number }

/** A queue in memory that starts work and records its results, for tests of a worker. */
export interface Queue {
  attempts: Attempts
  /** The work of the next start, unless a function makes it. */
  work: Work | 'done' | 'busy'
  reports: Recorded<Report>[]
  finished: Recorded<ImportResult>[]
  exported: Recorded<ExportResult & { revision: string }>[]
  failed: Recorded<AttemptFailure>[]
  returned: string[]
  /** Whether the reporting attempt holds the lease. */
  isHeld(report: Report): boolean
}

export function aQueue(work: Queue['work'] | (() => Promise<Queue['work']>)): Queue {
  const queue: Queue = {
    work: typeof work === 'function' ? 'done' : work,
    reports: [],
    finished: [],
    exported: [],
    failed: [],
    returned: [],
    isHeld: () => true,
    attempts: {
      async start(operationId) {
        const nextWork = typeof work === 'function' ? await work() : queue.work
        return typeof nextWork === 'string' ? nextWork : { ...nextWork, operationId, lease: nextWork.attempt }
      },
      async prepare({ operationId: _operation, lease: _lease, ...preparation }) {
        return preparation as Work
      },
      async requeue(operationId) {
        queue.returned.push(operationId)
      },
      undo: async () => undefined,
      async report(attempt, report) {
        queue.reports.push(withAttempt(attempt, report))
        return queue.isHeld(report)
      },
      bundle: () => Promise.reject(new Failure('not_found', 'There are no documents')),
      describeBase: () => Promise.reject(new Failure('not_found', 'There is no such base')),
      async finishImport(attempt, imported) {
        queue.finished.push(withAttempt(attempt, imported))
        return { revision: 'revision' }
      },
      async finishExport(attempt, exported) {
        queue.exported.push(withAttempt(attempt, exported))
        return { revision: 'revision' }
      },
      async fail(attempt, failure) {
        queue.failed.push(withAttempt(attempt, failure))
        return { retry: failure.retry }
      },
    },
  }
  return queue
}

function withAttempt<T extends object>({ operationId, attempt }: Pick<Attempt, 'operationId' | 'attempt'>, what: T) {
  return { operationId, attempt, ...what }
}
