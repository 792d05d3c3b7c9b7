import { idempotencyTable, messagingTables, outboxTrace, recordTable, wakeFunction, wakeTrigger } from '@recto/database'
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
  `create index events_of_organization on events (organization_id, occurred_at desc, sequence desc) where cardinality(subject_ids) = 0`,
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
  `create table webhooks (
    id text primary key,
    organization_id text not null,
    url text not null,
    types text[] not null,
    space_id text,
    site_id text,
    description text not null,
    owner_id text not null,
    enabled boolean not null,
    disabled_reason text,
    secret bytea not null,
    former_secret bytea,
    former_until timestamptz(3),
    cursor int not null,
    failures int not null,
    failing_since timestamptz(3),
    paused_until timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index webhooks_created on webhooks (organization_id, created_at desc, id desc)`,
  `create table webhook_deliveries (
    id text primary key,
    webhook_id text not null references webhooks (id) on delete cascade,
    organization_id text not null,
    sequence int not null,
    event_id text not null,
    event_type text not null,
    order_key text not null,
    state text not null,
    attempts int not null,
    failures int not null,
    heartbeat_at timestamptz(3),
    due_at timestamptz(3) not null,
    log jsonb not null,
    created_at timestamptz(3) not null,
    ended_at timestamptz(3)
  )`,
  `create index webhook_deliveries_created on webhook_deliveries (webhook_id, created_at desc, id desc)`,
  `create index webhook_deliveries_open on webhook_deliveries (webhook_id, order_key, sequence) where state in ('waiting', 'running')`,
  `create index webhook_deliveries_due on webhook_deliveries (due_at) where state in ('waiting', 'running')`,
  `create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null`,
  wakeTrigger('event_sequences', { columns: ['last'], when: 'true' }),
  wakeTrigger('webhooks', { columns: ['cursor', 'enabled'], when: 'new.enabled' }),
  wakeTrigger('webhook_deliveries', { columns: ['state', 'due_at'], when: 'true' }),
]

/** The record of what happened in organizations. */
export class CreateEvents1766900000000 implements MigrationInterface {
  readonly name = 'CreateEvents1766900000000'

  async up(runner: QueryRunner): Promise<void> {
    const core = [...messagingTables, outboxTrace, ...idempotencyTable, ...recordTable, wakeFunction]
    for (const statement of [...core, ...tables]) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'webhook_deliveries',
      'webhooks',
      'early_changes',
      'source_positions',
      'event_sequences',
      'events',
    ])
      await runner.query(`drop table ${table}`)
  }
}
