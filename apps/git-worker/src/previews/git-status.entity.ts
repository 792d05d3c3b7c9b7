import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { CommitStatus } from './commit-status.rules.ts'

/** The status of a commit of a pull request, and how far its forge has it. */
export interface GitStatusRow extends CommitStatus {
  id: string
  previewId: string
  spaceId: string
  commit: string
  /** Grows with each change of the status. */
  version: number
  /** The version that the forge has; 0 for none. */
  deliveredVersion: number
  /** Time of the next attempt to deliver it; while one runs, the end of its lease; null when there is nothing to deliver. */
  dueAt: Date | null
  isTaken: boolean
  lease: number
  /** Attempts since the forge accepted one. */
  attempts: number
  error: string | null
  updatedAt: Date
}

export const GitStatusEntity = new EntitySchema<GitStatusRow>({
  name: 'GitStatus',
  tableName: 'git_statuses',
  columns: {
    id: { type: 'text', primary: true },
    previewId: { type: 'text', name: 'preview_id' },
    spaceId: { type: 'text', name: 'space_id' },
    commit: { type: 'text', name: 'commit_oid' },
    state: { type: 'text' },
    description: { type: 'text' },
    targetUrl: { type: 'text', name: 'target_url', nullable: true },
    version: { type: 'int' },
    deliveredVersion: { type: 'int', name: 'delivered_version' },
    dueAt: { type: 'timestamptz', precision: 3, name: 'due_at', nullable: true },
    isTaken: { type: 'boolean', name: 'is_taken' },
    lease: { type: 'int' },
    attempts: { type: 'int' },
    error: { type: 'text', nullable: true },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<GitStatusRow>,
})
