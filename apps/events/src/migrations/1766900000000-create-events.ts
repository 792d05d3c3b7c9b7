import { idempotencyTable, messagingTables, outboxTrace, recordTable, wakeFunction } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const tables = [
  `create table events (
    organization_id text not null,
    sequence int not null,
    id text not null,
    source text not null,
    occurred_at timestamptz(3) not null,
    type text not null,
    subject jsonb not null,
    subject_ids text[] not null,
    revision jsonb,
    details jsonb,
    actor_kind text,
    actor_id text,
    operation_id text,
    request_id text,
    client jsonb,
    hash bytea not null,
    primary key (organization_id, sequence)
  )`,
  `create unique index events_id on events (id)`,
  `create index events_occurred on events (organization_id, occurred_at desc, sequence desc)`,
  `create index events_type on events (organization_id, type, sequence)`,
  `create index events_actor on events (organization_id, actor_id, sequence)`,
  `create index events_subjects on events using gin (subject_ids)`,
  `create index events_age on events (occurred_at)`,
  `create table event_sequences (
    organization_id text primary key,
    last int not null,
    last_hash bytea not null,
    deleted_up_to int not null,
    deleted_hash bytea not null
  )`,
  `create table source_positions (
    organization_id text not null,
    source text not null,
    last int not null,
    primary key (organization_id, source)
  )`,
  `create table early_changes (
    organization_id text not null,
    source text not null,
    number int not null,
    change jsonb not null,
    arrived_at timestamptz(3) not null,
    primary key (organization_id, source, number)
  )`,
]

/** The record of what happened in organizations. */
export class CreateEvents1766900000000 implements MigrationInterface {
  readonly name = 'CreateEvents1766900000000'

  async up(runner: QueryRunner): Promise<void> {
    const core = [...messagingTables, outboxTrace, ...idempotencyTable, ...recordTable, wakeFunction]
    for (const statement of [...core, ...tables]) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['early_changes', 'source_positions', 'event_sequences', 'events'])
      await runner.query(`drop table ${table}`)
  }
}
