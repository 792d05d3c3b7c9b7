import type { GitError } from '@recto/contracts-git-worker'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { z } from 'zod'

/** The synchronisation of a space with a branch. */
export interface GitSyncRow {
  spaceId: string
  /** Another one for another repository, branch or folder, so that operations of the former do nothing any more. */
  id: string
  url: string
  ref: string
  /** The folder of the repository that the content is in; empty for all of it. */
  projectDirectory: string
  direction: 'import' | 'export' | 'both'
  /** Encrypted. */
  credentials: Buffer | null
  /** Encrypted. */
  webhookSecret: Buffer
  commitMessage: string | null
  /** Seconds; 0 for none. */
  pollInterval: number
  /** The direction of the first synchronisation; null once it has succeeded. */
  initial: 'import' | 'export' | null
  /** The main content, and the commit, that were last the same. */
  syncedRevision: string | null
  syncedCommit: string | null
  /** Of the look at the branch that a worker takes now. */
  pollId: string | null
  /** Names what made it necessary to decide what is next; null when that is decided. */
  askId: string | null
  /** Whether to look at the branch when what runs now has ended. */
  recheck: boolean
  /** When to look at the branch, or to repeat what failed. */
  dueAt: Date | null
  failures: number
  error: z.output<typeof GitError> | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

export const GitSyncEntity = new EntitySchema<GitSyncRow>({
  name: 'GitSync',
  tableName: 'git_syncs',
  columns: {
    spaceId: { type: 'text', primary: true, name: 'space_id' },
    id: { type: 'text' },
    url: { type: 'text' },
    ref: { type: 'text' },
    projectDirectory: { type: 'text', name: 'project_directory' },
    direction: { type: 'text' },
    credentials: { type: 'bytea', nullable: true },
    webhookSecret: { type: 'bytea', name: 'webhook_secret' },
    commitMessage: { type: 'text', name: 'commit_message', nullable: true },
    pollInterval: { type: 'int', name: 'poll_interval' },
    initial: { type: 'text', nullable: true },
    syncedRevision: { type: 'text', name: 'synced_revision', nullable: true },
    syncedCommit: { type: 'text', name: 'synced_commit', nullable: true },
    pollId: { type: 'text', name: 'poll_id', nullable: true },
    askId: { type: 'text', name: 'ask_id', nullable: true },
    recheck: { type: 'boolean' },
    dueAt: { type: 'timestamptz', precision: 3, name: 'due_at', nullable: true },
    failures: { type: 'int' },
    error: { type: 'jsonb', nullable: true },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<GitSyncRow>,
})
