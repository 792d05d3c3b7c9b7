import type { GitError } from '@recto/contracts-git-worker'
import type { GitCredentials, GitPush, GitWarning } from '@recto/contracts-git-worker-bus'
import type { z } from 'zod'
import type { ExportResult, ExportRequest } from '../exports/export-repository.ts'
import type { ContentState } from '@recto/repository-export'
import type { ImportRequest } from '../imports/import-repository.ts'
import type { ImportResult } from '../imports/store-manifest.ts'
import type { GitOperationRow, RecordedFolder } from '../operations/git-operation.entity.ts'

/** An attempt of an operation, whose lease a worker holds. */
export interface Attempt {
  operationId: string
  /** Counts the attempts since the operation was requested or retried. */
  attempt: number
  /** Counts all attempts of the operation. */
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
  /** The folder of a push, in the place of a branch. */
  push?: Pick<RecordedFolder, 'upload' | 'commit'>
}

/** The data that content gives to an attempt. */
export interface Preparation {
  /** The organization whose operations may share the clone. */
  organizationId: string
  /** Files and documents of main content, which an import need not upload; empty for an export. */
  known: ImportRequest['known']
  /** The blob of the pack of a push; absent when it is gone. */
  pack?: string
  /** The revision, content and commit that an export writes; absent for an import. */
  export?: ExportRequest['export']
}

/** Progress of an attempt, with the push that it starts after the report is recorded. */
export type Report = Required<Pick<GitOperationRow, 'stage' | 'progress'>> & { pushing?: z.output<typeof GitPush> }

/** Why an attempt failed. */
export interface AttemptFailure {
  error: z.output<typeof GitError>
  retry: boolean
  warnings: z.output<typeof GitWarning>[]
}

/** The attempts of operations, for workers. */
export interface Attempts {
  /** Leases an operation for an attempt; `busy` while another worker has it, `done` when there is nothing to do. */
  start(operationId: string): Promise<'done' | 'busy' | Attempt>
  /** Gets the data of the attempt from content; undefined when an earlier attempt was applied, whose outcome is then recorded. */
  prepare(attempt: Attempt): Promise<Preparation | undefined>
  /** Queues an operation again that was not started, since its organization has its share of the worker. */
  requeue(operationId: string): Promise<void>
  /** Ends an attempt as if it had not been made, since content did not answer. */
  undo(attempt: Attempt): Promise<void>
  /** Records progress and renews the lease; false when it is lost. */
  report(attempt: Attempt, report: Report): Promise<boolean>
  /** Stores as many of the documents, from the first on, as fit in a bundle. */
  bundle(attempt: Attempt, revision: string, documents: string[]): Promise<{ bundle: string; count: number }>
  /** The content of a revision that an export builds on. */
  describeBase(attempt: Attempt, revision: string): Promise<ContentState>
  /** Has content apply an import, and ends the operation. */
  finishImport(attempt: Attempt, imported: ImportResult): Promise<{ revision: string }>
  /** Has content record the commit of an export, and ends the operation. */
  finishExport(attempt: Attempt, exported: ExportResult & { revision: string }): Promise<{ revision: string }>
  /** Fails the operation, or has it retried later; resolves to whether it is retried. */
  fail(attempt: Pick<Attempt, 'operationId' | 'attempt'>, failure: AttemptFailure): Promise<{ retry: boolean }>
}
