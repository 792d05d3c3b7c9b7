import type { processErrorCodes, processingStates } from '@recto/contracts-shared'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The fault of a specification. */
export interface SpecError {
  message: string
  code?: string
}

export interface SpecRow {
  id: string
  organizationId: string
  slug: string
  /** The source that is polled; null for a specification that came as text. */
  sourceUrl: string | null
  visibility: 'private' | 'public'
  state: (typeof processingStates)[number]
  /** Attempts at the processing that is due or running. */
  attempts: number
  /** When it is processed next; null for never. */
  dueAt: Date | null
  /** The attempt that works on it; null when none does. What another attempt read is not written. */
  lease: string | null
  /** The last sign of life of that attempt. */
  heartbeatAt: Date | null
  /** Failures in a row to fetch the source. */
  failures: number
  /** Grows when the source changes: replicas from before there were leases compare it. */
  sourceVersion: number
  /** Validators of the source, for conditional requests (RFC 9110); null when it refers to other files. */
  etag: string | null
  lastModified: string | null
  lastVersion: string | null
  processedAt: Date | null
  errorCode: (typeof processErrorCodes)[number] | null
  errors: SpecError[]
  /** Errors of the last processing, also those that are not kept; a version from before there was a count leaves it as it was. */
  errorCount: number
  createdAt: Date
  updatedAt: Date
}

export const SpecEntity = new EntitySchema<SpecRow>({
  name: 'Spec',
  tableName: 'openapi_specs',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    slug: { type: 'text' },
    sourceUrl: { type: 'text', name: 'source_url', nullable: true },
    visibility: { type: 'text' },
    state: { type: 'text' },
    attempts: { type: 'int' },
    dueAt: { type: 'timestamptz', precision: 3, name: 'due_at', nullable: true },
    lease: { type: 'text', nullable: true },
    heartbeatAt: { type: 'timestamptz', precision: 3, name: 'heartbeat_at', nullable: true },
    failures: { type: 'int' },
    sourceVersion: { type: 'int', name: 'source_version' },
    etag: { type: 'text', nullable: true },
    lastModified: { type: 'text', name: 'last_modified', nullable: true },
    lastVersion: { type: 'text', name: 'last_version', nullable: true },
    processedAt: { type: 'timestamptz', precision: 3, name: 'processed_at', nullable: true },
    errorCode: { type: 'text', name: 'error_code', nullable: true },
    errors: { type: 'jsonb' },
    errorCount: { type: 'int', name: 'error_count', default: 0 },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<SpecRow>,
})
