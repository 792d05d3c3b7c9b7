import type { GitError } from '@recto/contracts-git-worker'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { z } from 'zod'
import type { PreviewReport } from './preview-report.rules.ts'

/** The preview of a pull request. */
export interface GitPreviewRow {
  id: string
  spaceId: string
  syncId: string
  organizationId: string
  number: number
  /** The part of the address that nobody guesses. */
  key: string
  /** `ended`: previews were switched off. */
  state: 'open' | 'merged' | 'closed' | 'ended'
  title: string | null
  /** The page of the pull request at its forge. */
  url: string | null
  /** When the forge changed the pull request last, as far as a webhook or a list has told it. */
  changedAt: Date | null
  /** The newest commit. */
  head: string | null
  /** The work that is next: an import that waits for its turn or runs, or the check of what was imported. */
  step: 'idle' | 'import' | 'importing' | 'check'
  operationId: string | null
  /** The commit that was imported last, or that could not be. */
  commit: string | null
  /** The revision that the address shows. */
  revision: string | null
  error: z.output<typeof GitError> | null
  /** The result of checking `commit`. */
  report: PreviewReport | null
  /** Where a published site shows the space. */
  siteUrl: string | null
  /** Time of the next attempt of the check; while one runs, the end of its lease. */
  dueAt: Date | null
  isTaken: boolean
  lease: number
  attempts: number
  createdAt: Date
  updatedAt: Date
}

export const GitPreviewEntity = new EntitySchema<GitPreviewRow>({
  name: 'GitPreview',
  tableName: 'git_previews',
  columns: {
    id: { type: 'text', primary: true },
    spaceId: { type: 'text', name: 'space_id' },
    syncId: { type: 'text', name: 'sync_id' },
    organizationId: { type: 'text', name: 'organization_id' },
    number: { type: 'int' },
    key: { type: 'text' },
    state: { type: 'text' },
    title: { type: 'text', nullable: true },
    url: { type: 'text', nullable: true },
    changedAt: { type: 'timestamptz', precision: 3, name: 'changed_at', nullable: true },
    head: { type: 'text', nullable: true },
    step: { type: 'text' },
    operationId: { type: 'text', name: 'operation_id', nullable: true },
    commit: { type: 'text', name: 'commit_oid', nullable: true },
    revision: { type: 'text', nullable: true },
    error: { type: 'jsonb', nullable: true },
    report: { type: 'jsonb', nullable: true },
    siteUrl: { type: 'text', name: 'site_url', nullable: true },
    dueAt: { type: 'timestamptz', precision: 3, name: 'due_at', nullable: true },
    isTaken: { type: 'boolean', name: 'is_taken' },
    lease: { type: 'int' },
    attempts: { type: 'int' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<GitPreviewRow>,
})
