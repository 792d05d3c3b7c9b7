import type { GitError } from '@recto/contracts-git-worker'
import type { GitPush, GitWarning } from '@recto/contracts-git-worker-bus'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { z } from 'zod'

export interface GitOperationRow {
  id: string
  spaceId: string
  /** The organization of the space at the request; its operations take turns. */
  organizationId: string
  /** The synchronisation that the operation belongs to; null for a requested operation. */
  syncId: string | null
  direction: 'import' | 'export'
  state: 'queued' | 'running' | 'success' | 'failure' | 'skipped'
  /** Whether its job is enqueued; each space has at most one such operation. */
  dispatched: boolean
  stage: 'repo_fetch' | 'config_check' | 'content_process' | 'finalize' | null
  progress: { done: number; total: number } | null
  /** Empty for a push, as `ref`. */
  url: string
  /** Encrypted; deleted when the operation has succeeded, or a week after it failed. */
  credentials: Buffer | null
  ref: string
  options: GitOptions
  /** Time of the imported state; an operation older than the latest successful one is skipped. */
  timestamp: Date
  attempts: number
  /** Counts all attempts, also those before a retry: content refuses calls of an earlier one. */
  leases: number
  heartbeatAt: Date | null
  createdBy: string
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
  revision: string | null
  commit: string | null
  /** After an export, whether the branch has changes that the content lacks, which an import brings. */
  isPartial: boolean
  error: z.output<typeof GitError> | null
  warnings: z.output<typeof GitWarning>[]
}

/** The options of a request besides repository and branch. */
export interface GitOptions {
  repoCacheID?: string
  repoTreeURL?: string
  repoCommitURL?: string
  repoProjectDirectory?: string
  force: boolean
  standalone: boolean
  /** The preview of a pull request that an import is for. */
  preview?: string
  /** The newest commit of that pull request when its import was requested. */
  head?: string
  /** The folder of a push, which is imported in the place of a branch. */
  push?: RecordedFolder
  /** The change request of a push, once it exists. */
  changeRequest?: string
  gitInfo?: { provider?: 'github' | 'gitlab'; url?: string }
  /** Template of the message of an export. */
  commitMessage?: string
  /** Author of an export's commit. */
  author?: { name: string; email: string }
  /** The revision that all attempts of an export write, since an earlier attempt may have pushed it. */
  exported?: string
  /** Pushes of all attempts, newest first: a server may have taken one although its reply was lost. */
  pushed?: RecordedPush[]
}

/** A folder that a user pushes: the key of its upload, a pack, and its commit. */
export interface RecordedFolder {
  upload: string
  commit: string
  /** The revision that it was read from. */
  base?: string
  /** The subject of the change request to create. */
  subject?: string
  message?: string
}

/** A push that was about to start. */
export type RecordedPush = z.output<typeof GitPush> & { at: string }

export const GitOperationEntity = new EntitySchema<GitOperationRow>({
  name: 'GitOperation',
  tableName: 'git_operations',
  columns: {
    id: { type: 'text', primary: true },
    spaceId: { type: 'text', name: 'space_id' },
    organizationId: { type: 'text', name: 'organization_id' },
    syncId: { type: 'text', name: 'sync_id', nullable: true },
    direction: { type: 'text' },
    state: { type: 'text' },
    dispatched: { type: 'boolean' },
    stage: { type: 'text', nullable: true },
    progress: { type: 'jsonb', nullable: true },
    url: { type: 'text' },
    credentials: { type: 'bytea', nullable: true },
    ref: { type: 'text' },
    options: { type: 'jsonb' },
    timestamp: { type: 'timestamptz', precision: 3 },
    attempts: { type: 'int' },
    leases: { type: 'int' },
    heartbeatAt: { type: 'timestamptz', precision: 3, name: 'heartbeat_at', nullable: true },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    startedAt: { type: 'timestamptz', precision: 3, name: 'started_at', nullable: true },
    completedAt: { type: 'timestamptz', precision: 3, name: 'completed_at', nullable: true },
    revision: { type: 'text', nullable: true },
    commit: { type: 'text', name: 'commit_oid', nullable: true },
    isPartial: { type: 'boolean', name: 'is_partial' },
    error: { type: 'jsonb', nullable: true },
    warnings: { type: 'jsonb' },
  } satisfies EntityColumns<GitOperationRow>,
})
