import type { EntityColumns } from '@recto/database'
import type { Origin } from '@recto/operation'
import { EntitySchema } from 'typeorm'

/** An event of the record. It is never updated. */
export interface EventRow {
  organizationId: string
  /** 1 for the first event of the organization, and so on without a gap. */
  sequence: number
  id: string
  /** The service that made the change. */
  source: string
  occurredAt: Date
  type: string
  /** Ids of what changed, by their kinds. */
  subject: Record<string, string>
  /** The same ids, for searches. */
  subjectIds: string[]
  revision: { before: string | null; after: string | null } | null
  details: Record<string, unknown> | null
  /** `user`, or another kind of caller; null for the platform. */
  actorKind: string | null
  actorId: string | null
  operationId: string | null
  requestId: string | null
  /** Facts about the request that caused it. */
  client: NonNullable<Origin['client']> | null
  /** SHA-256 of the event and of the hash of the event before it. */
  hash: Buffer
}

export const EventEntity = new EntitySchema<EventRow>({
  name: 'Event',
  tableName: 'events',
  columns: {
    organizationId: { type: 'text', primary: true, name: 'organization_id' },
    sequence: { type: 'int', primary: true },
    id: { type: 'text' },
    source: { type: 'text' },
    occurredAt: { type: 'timestamptz', precision: 3, name: 'occurred_at' },
    type: { type: 'text' },
    subject: { type: 'jsonb' },
    subjectIds: { type: 'text', array: true, name: 'subject_ids' },
    revision: { type: 'jsonb', nullable: true },
    details: { type: 'jsonb', nullable: true },
    actorKind: { type: 'text', name: 'actor_kind', nullable: true },
    actorId: { type: 'text', name: 'actor_id', nullable: true },
    operationId: { type: 'text', name: 'operation_id', nullable: true },
    requestId: { type: 'text', name: 'request_id', nullable: true },
    client: { type: 'jsonb', nullable: true },
    hash: { type: 'bytea' },
  } satisfies EntityColumns<EventRow>,
})

/** Where the events of an organization begin and end. */
export interface EventSequenceRow {
  organizationId: string
  /** The sequence of the newest event; 0 without any. */
  last: number
  lastHash: Buffer
  /** The sequence of the newest event that is not kept any more; 0 while all are. */
  deletedUpTo: number
  deletedHash: Buffer
}

export const EventSequenceEntity = new EntitySchema<EventSequenceRow>({
  name: 'EventSequence',
  tableName: 'event_sequences',
  columns: {
    organizationId: { type: 'text', primary: true, name: 'organization_id' },
    last: { type: 'int' },
    lastHash: { type: 'bytea', name: 'last_hash' },
    deletedUpTo: { type: 'int', name: 'deleted_up_to' },
    deletedHash: { type: 'bytea', name: 'deleted_hash' },
  } satisfies EntityColumns<EventSequenceRow>,
})

/** The number of the last change of a service that is in the record of an organization. */
export interface SourcePositionRow {
  organizationId: string
  source: string
  last: number
}

export const SourcePositionEntity = new EntitySchema<SourcePositionRow>({
  name: 'SourcePosition',
  tableName: 'source_positions',
  columns: {
    organizationId: { type: 'text', primary: true, name: 'organization_id' },
    source: { type: 'text', primary: true },
    last: { type: 'int' },
  } satisfies EntityColumns<SourcePositionRow>,
})

/** A change that arrived before one with a lower number of the same service. */
export interface EarlyChangeRow {
  organizationId: string
  source: string
  number: number
  change: object
  arrivedAt: Date
}

export const EarlyChangeEntity = new EntitySchema<EarlyChangeRow>({
  name: 'EarlyChange',
  tableName: 'early_changes',
  columns: {
    organizationId: { type: 'text', primary: true, name: 'organization_id' },
    source: { type: 'text', primary: true },
    number: { type: 'int', primary: true },
    change: { type: 'jsonb' },
    arrivedAt: { type: 'timestamptz', precision: 3, name: 'arrived_at' },
  } satisfies EntityColumns<EarlyChangeRow>,
})
