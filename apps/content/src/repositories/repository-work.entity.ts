import type { GitOutcome } from '@recto/contracts-git-worker-bus'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { z } from 'zod'

/** The work of a git operation on a space: it protects stored content until it ends, and its outcome is recorded with its changes. */
export interface RepositoryWorkRow {
  operationId: string
  spaceId: string
  /** The lease of the last attempt; earlier attempts are refused. */
  lease: number
  heldUntil: Date
  /** Null until the operation is applied. */
  outcome: z.output<typeof GitOutcome> | null
  updatedAt: Date
}

export const RepositoryWorkEntity = new EntitySchema<RepositoryWorkRow>({
  name: 'RepositoryWork',
  tableName: 'repository_work',
  columns: {
    operationId: { type: 'text', primary: true, name: 'operation_id' },
    spaceId: { type: 'text', name: 'space_id' },
    lease: { type: 'int' },
    heldUntil: { type: 'timestamptz', precision: 3, name: 'held_until' },
    outcome: { type: 'jsonb', nullable: true },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<RepositoryWorkRow>,
})
