import type { gitContentCalls } from '@recto/contracts-git-worker-bus'
import type { Input } from '@recto/operation'
import type { Attempt, AttemptFailure, Preparation, Report } from '../attempts/attempts.ts'
import type { ExportResult } from '../exports/export-repository.ts'
import type { GitSetup } from './git-setup.ts'

export const repository = { url: 'https://git.example/owner/docs.git', ref: 'refs/heads/main' }

/** An attempt with its data from content. */
export type Work = Attempt & Preparation

type Commit = Input<typeof gitContentCalls.applyGitOperation>['body']['commit']

/** A member who requests imports and exports, and a worker that runs them with the attempts of the service. */
export type Worker = ReturnType<typeof aWorker>

export function aWorker(setup: () => GitSetup) {
  const attempts = () => setup().service.jobs.attempts
  const last = async (spaceId: string) => {
    const { items } = await setup()
      .as('create')
      .listGitOperations({ params: { spaceId }, query: { limit: 1 } })
    return items[0]?.id ?? ''
  }
  const storeJson = async (value: object) => (await setup().blobs.put(Buffer.from(JSON.stringify(value)))).hash
  const worker = {
    /** Requests an import, and resolves to its operation. */
    async requestImport(spaceId: string, body = {}): Promise<string> {
      await setup()
        .as('create')
        .importGitRepository({ params: { spaceId }, body: { ...repository, ...body } })
      return last(spaceId)
    },
    /** Requests an export, and resolves to its operation. */
    async requestExport(spaceId: string, body = {}): Promise<string> {
      await setup()
        .as('create')
        .exportToGitRepository({ params: { spaceId }, body: { ...repository, commitMessage: 'Export', ...body } })
      return last(spaceId)
    },
    see: (spaceId: string, operationId: string) =>
      setup().as('read').getGitOperation({ params: { spaceId, operationId } }),
    storeJson,
    /** Starts an operation. */
    start: async (operationId: string): Promise<'done' | 'busy' | Attempt> => attempts().start(operationId),
    /** Starts an operation that can run, and prepares it. */
    async work(operationId: string): Promise<Work> {
      const attempt = await attempts().start(operationId)
      if (typeof attempt === 'string') throw new Error(`the operation is ${attempt}`)
      const preparation = await attempts().prepare(attempt)
      if (!preparation) throw new Error('the operation was applied')
      return { ...attempt, ...preparation }
    },
    report: (attempt: Attempt, report: Partial<Report> = {}) =>
      attempts().report(attempt, { stage: 'content_process', progress: { done: 0, total: 1 }, ...report }),
    /** Ends an import; the branch has these pages. */
    async finishImport(attempt: Attempt, pages: string[], oid = 'c0ffee'): Promise<string> {
      const manifest = await storeJson({ pages })
      const commit = { oid, message: 'A commit', ref: attempt.ref }
      return (await attempts().finishImport(attempt, { commit, manifest })).revision
    },
    /** Ends an export. */
    async finishExport(
      work: Work,
      { oid = 'c0ffee', ...more }: Partial<ExportResult> & { oid?: Commit['oid'] } = {},
    ): Promise<string> {
      const commit = { oid, message: 'Export', createdByService: true }
      const result = { commit, isPartial: false, manifest: await storeJson({}), warnings: [], ...more }
      return (await attempts().finishExport(work, { revision: work.export?.revision ?? '', ...result })).revision
    },
    fail: (attempt: Pick<Attempt, 'operationId' | 'attempt'>, failure: Partial<AttemptFailure> = {}) =>
      attempts().fail(attempt, {
        error: { code: 'unreachable', message: 'Nobody answers' },
        retry: false,
        warnings: [],
        ...failure,
      }),
    requeue: (operationId: string) => attempts().requeue(operationId),
    /** Requests an import and runs it. */
    async import(
      spaceId: string,
      pages: string[],
      { oid, ...body }: { oid?: string; [field: string]: unknown } = {},
    ): Promise<string> {
      return worker.finishImport(await worker.work(await worker.requestImport(spaceId, body)), pages, oid)
    },
    /** Makes the worker of an attempt silent for a minute. */
    silence: (operationId: string) =>
      setup().db.query(`update git_operations set heartbeat_at = now() - interval '1 minute' where id = $1`, [
        operationId,
      ]),
  }
  return worker
}
