import type { GitError } from '@recto/contracts-git-worker'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { z } from 'zod'
import type { Forge } from '../forges/forge.rules.ts'

/** The synchronisation of a space with a branch. */
export interface GitSyncRow {
  spaceId: string
  /** A new id for each repository, branch or folder, so that operations of an earlier source do nothing any more. */
  id: string
  url: string
  ref: string
  /** The folder of the repository with the content; empty for the whole repository. */
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
  /** The main content and the commit of the last synchronisation. */
  syncedRevision: string | null
  syncedCommit: string | null
  /** Id of the running poll; null when none runs. */
  pollId: string | null
  /** Id of the request to decide on the next operation; null when it is decided. */
  askId: string | null
  /** Whether to poll the branch when the running poll or operation has ended. */
  recheck: boolean
  /** Time of the next poll or retry. */
  dueAt: Date | null
  failures: number
  error: z.output<typeof GitError> | null
  /** How pull requests are previewed; null while they are not. */
  previews: PreviewSettings | null
  /** The encrypted token for statuses of commits. It outlives `previews` until the last statuses are delivered. */
  statusToken: Buffer | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

/** How pull requests of a synchronised branch are previewed. */
export interface PreviewSettings {
  forge: Forge
  /** Without a slash at its end. */
  apiUrl: string
  /** Null: open where everybody may read both the site and the repository. */
  access: 'open' | 'members' | null
  /** Whether everybody may read the repository; null until it was tried. */
  isRepositoryPublic: boolean | null
  /** Pull requests up to this number were there before, and are previewed when a webhook or a list names them; null until the first look. */
  since: number | null
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
    previews: { type: 'jsonb', nullable: true },
    statusToken: { type: 'bytea', name: 'status_token', nullable: true },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<GitSyncRow>,
})
