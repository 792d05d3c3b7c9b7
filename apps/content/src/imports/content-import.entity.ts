import type { ImportSource } from '@recto/contracts-content'
import type { EntityColumns } from '@recto/database'
import type { FailureCode } from '@recto/operation'
import { EntitySchema } from 'typeorm'

export interface ContentImportRow {
  id: string
  spaceId: string
  /** The change request that the content is added to; null for main content. */
  changeRequestId: string | null
  /** The page below which the content is placed; null at the root. */
  page: string | null
  /** Files that were uploaded, or what a URL names. */
  source: ImportSource | 'file'
  /** The requested URL while the import is open, then without its query, which may hold a secret. */
  url: string
  /** The uploads of a source of files, by their ids, with their blobs. */
  files: { upload: string; name: string; hash: string }[]
  /** The site that it was started for. */
  siteId: string | null
  state: 'queued' | 'running' | 'success' | 'failure' | 'cancelled'
  attempts: number
  heartbeatAt: Date | null
  /** The number of imported pages and files. */
  done: number
  /** The number of pages and files in the source. */
  total: number
  createdBy: string
  /** Whether who started it read every specification of the organization then. */
  readsSpecifications: boolean
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
  revision: string | null
  error: { code: FailureCode; message: string } | null
  warnings: { path: string; message: string }[]
  /** The pages that it brought. */
  pages: { id: string; type: 'page' | 'folder' }[]
}

export const ContentImportEntity = new EntitySchema<ContentImportRow>({
  name: 'ContentImport',
  tableName: 'content_imports',
  columns: {
    id: { type: 'text', primary: true },
    spaceId: { type: 'text', name: 'space_id' },
    changeRequestId: { type: 'text', name: 'change_request_id', nullable: true },
    page: { type: 'text', nullable: true },
    source: { type: 'text' },
    url: { type: 'text' },
    files: { type: 'jsonb' },
    siteId: { type: 'text', name: 'site_id', nullable: true },
    state: { type: 'text' },
    attempts: { type: 'int' },
    heartbeatAt: { type: 'timestamptz', precision: 3, name: 'heartbeat_at', nullable: true },
    done: { type: 'int' },
    total: { type: 'int' },
    createdBy: { type: 'text', name: 'created_by' },
    readsSpecifications: { type: 'boolean', name: 'reads_specifications' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    startedAt: { type: 'timestamptz', precision: 3, name: 'started_at', nullable: true },
    completedAt: { type: 'timestamptz', precision: 3, name: 'completed_at', nullable: true },
    revision: { type: 'text', nullable: true },
    error: { type: 'jsonb', nullable: true },
    warnings: { type: 'jsonb' },
    pages: { type: 'jsonb' },
  } satisfies EntityColumns<ContentImportRow>,
})
