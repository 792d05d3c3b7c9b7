import { EntitySchema } from 'typeorm'
import type { EntityColumns } from './columns.ts'

export interface IdempotentRequestRow {
  /** Hash of user, operation and key. */
  id: string
  /** Hash of the request's parameters and body. */
  fingerprint: string
  /** The attempt that carries the request out, or has done so. */
  attempt: string
  /** Until when the attempt is taken to be running. */
  leasedUntil: Date
  /** A transaction of the attempt has committed. */
  isCarriedOut: boolean
  /** Encrypted under the key, which is not stored. */
  reply: Buffer | null
  createdAt: Date
}

export const IdempotentRequestEntity = new EntitySchema<IdempotentRequestRow>({
  name: 'IdempotentRequest',
  tableName: 'idempotent_requests',
  columns: {
    id: { type: 'text', primary: true },
    fingerprint: { type: 'text' },
    attempt: { type: 'text' },
    leasedUntil: { type: 'timestamptz', name: 'leased_until' },
    isCarriedOut: { type: 'boolean', name: 'is_carried_out' },
    reply: { type: 'bytea', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  } satisfies EntityColumns<IdempotentRequestRow>,
})
