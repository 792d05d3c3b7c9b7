import type { GitError } from '@recto/contracts-git-worker'
import type { GitCredentials, GitPush, GitWarning } from '@recto/contracts-git-worker-bus'
import type { z } from 'zod'
import type { ExportResult, ExportRequest } from '../exports/export-repository.ts'
import type { ContentState } from '../exports/export-content.ts'
import type { ImportResult, ImportRequest } from '../imports/import-repository.ts'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'

/** An attempt of an operation, whose lease a worker holds. */
export interface Attempt {
  operationId: string
  /** Counts the attempts since the operation was requested or retried. */
  attempt: number
  /** Counts all of its attempts. */
  lease: number
  direction: GitOperationRow['direction']
  spaceId: string
  organizationId: string
  url: string
  credentials?: z.output<typeof GitCredentials>
  ref: string
  repoCacheID?: string
  projectDirectory?: string
  force: boolean
}

/** The part of an attempt that content answers. */
export interface Preparation {
  /** Whose operations may use the same clone. */
  organizationId: string
  /** Of an import: files and documents of main content, which need no upload. */
  known: ImportRequest['known']
  /** Of an export: what it writes. */
  export?: ExportRequest['export']
}

/** Progress of an attempt, and what it pushes as soon as that is recorded. */
export type Report = Required<Pick<GitOperationRow, 'stage' | 'progress'>> & { pushing?: z.output<typeof GitPush> }

/** Why an attempt failed. */
export interface AttemptFailure {
  error: z.output<typeof GitError>
  retry: boolean
  warnings: z.output<typeof GitWarning>[]
}

/** The attempts of operations as workers make them. */
export interface Attempts {
  /** Leases an operation for an attempt; `busy` while another worker has it, `done` when there is nothing to do. */
  start(operationId: string): Promise<'done' | 'busy' | Attempt>
  /** Asks content for what the attempt needs; undefined when an earlier attempt was applied, whose outcome is recorded now. */
  prepare(attempt: Attempt): Promise<Preparation | undefined>
  /** Returns an operation that was not started, since its organization has its share of the worker. */
  giveBack(operationId: string): Promise<void>
  /** Ends an attempt as if it had not been made, since content did not answer. */
  undo(attempt: Attempt): Promise<void>
  /** Records progress and renews the lease; false when it is lost. */
  report(attempt: Attempt, report: Report): Promise<boolean>
  /** Stores the first of some documents as a bundle. */
  bundle(attempt: Attempt, revision: string, documents: string[]): Promise<{ bundle: string; count: number }>
  /** The content of a revision that an export builds on. */
  describeBase(attempt: Attempt, revision: string): Promise<ContentState>
  /** Has content apply an import, and ends the operation. */
  finishImport(attempt: Attempt, imported: ImportResult): Promise<{ revision: string }>
  /** Has content record the commit of an export, and ends the operation. */
  finishExport(attempt: Attempt, exported: ExportResult & { revision: string }): Promise<{ revision: string }>
  /** Fails the operation, or has it retried later; says which. */
  fail(attempt: Pick<Attempt, 'operationId' | 'attempt'>, failure: AttemptFailure): Promise<{ retry: boolean }>
}
