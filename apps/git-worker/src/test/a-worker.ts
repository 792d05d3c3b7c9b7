import type { gitContentCalls } from '@recto/contracts-git-worker-bus'
import type { Input } from '@recto/operation'
import type { Attempt, AttemptFailure, Preparation, Report } from '../attempts/attempts.ts'
import type { ExportResult } from '../exports/export-repository.ts'
import type { GitSetup } from './git-setup.ts'

export const repository = { url: 'https://git.example/owner/docs.git', ref: 'refs/heads/main' }

/** An attempt with what it needs of content. */
export type Work = Attempt & Preparation

type Commit = Input<typeof gitContentCalls.applyGitOperation>['body']['commit']

/** A member who asks for imports and exports, and the worker that makes them; its attempts are those of the service. */
export type Worker = ReturnType<typeof aWorker>

export function aWorker(setup: () => GitSetup) {
  const attempts = () => setup().service.jobs.attempts
  const last = async (spaceId: string) => {
    const { items } = await setup()
      .as('create')
      .listGitOperations({ params: { spaceId }, query: { limit: 1 } })
    return items[0]?.id ?? ''
  }
  const stored = async (value: object) => (await setup().blobs.put(Buffer.from(JSON.stringify(value)))).hash
  const worker = {
    /** Asks for an import, and resolves to its operation. */
    async askImport(spaceId: string, body = {}): Promise<string> {
      await setup()
        .as('create')
        .importGitRepository({ params: { spaceId }, body: { ...repository, ...body } })
      return last(spaceId)
    },
    /** Asks for an export, and resolves to its operation. */
    async askExport(spaceId: string, body = {}): Promise<string> {
      await setup()
        .as('create')
        .exportToGitRepository({ params: { spaceId }, body: { ...repository, commitMessage: 'Export', ...body } })
      return last(spaceId)
    },
    see: (spaceId: string, operationId: string) =>
      setup().as('read').getGitOperation({ params: { spaceId, operationId } }),
    stored,
    /** Starts an operation. */
    start: async (operationId: string): Promise<'done' | 'busy' | Attempt> => attempts().start(operationId),
    /** Starts an operation that can run, and prepares it. */
    async work(operationId: string): Promise<Work> {
      const attempt = await attempts().start(operationId)
      if (typeof attempt === 'string') throw new Error(`the operation is ${attempt}`)
      const prepared = await attempts().prepare(attempt)
      if (!prepared) throw new Error('the operation was applied')
      return { ...attempt, ...prepared }
    },
    report: (attempt: Attempt, report: Partial<Report> = {}) =>
      attempts().report(attempt, { stage: 'content_process', progress: { done: 0, total: 1 }, ...report }),
    /** Ends an import; the branch has these pages. */
    async finishImport(attempt: Attempt, pages: string[], oid = 'c0ffee'): Promise<string> {
      const manifest = await stored({ pages })
      const commit = { oid, message: 'A commit', ref: attempt.ref }
      return (await attempts().finishImport(attempt, { commit, manifest })).revision
    },
    /** Ends an export. */
    async finishExport(
      work: Work,
      { oid = 'c0ffee', ...more }: Partial<ExportResult> & { oid?: Commit['oid'] } = {},
    ): Promise<string> {
      const commit = { oid, message: 'Export', createdByService: true }
      const exported = { commit, isPartial: false, manifest: await stored({}), warnings: [], ...more }
      return (await attempts().finishExport(work, { revision: work.export?.revision ?? '', ...exported })).revision
    },
    fail: (attempt: Pick<Attempt, 'operationId' | 'attempt'>, failure: Partial<AttemptFailure> = {}) =>
      attempts().fail(attempt, {
        ...{ error: { code: 'unreachable', message: 'Nobody answers' }, retry: false, warnings: [] },
        ...failure,
      }),
    giveBack: (operationId: string) => attempts().giveBack(operationId),
    /** Asks for an import and does it. */
    async import(
      spaceId: string,
      pages: string[],
      { oid, ...body }: { oid?: string; [field: string]: unknown } = {},
    ): Promise<string> {
      return worker.finishImport(await worker.work(await worker.askImport(spaceId, body)), pages, oid)
    },
    /** Has the worker of an attempt be silent for a minute. */
    silence: (operationId: string) =>
      setup().db.query(`update git_operations set heartbeat_at = now() - interval '1 minute' where id = $1`, [
        operationId,
      ]),
  }
  return worker
}
