import { idempotencyTable, messagingTables, outboxTrace, wakeFunction, wakeTrigger } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const isOpen = `state in ('queued', 'running')`

const statements = [
  `create table git_operations (
    id text primary key,
    space_id text not null,
    organization_id text not null,
    sync_id text,
    direction text not null,
    state text not null,
    dispatched boolean not null,
    stage text,
    progress jsonb,
    url text not null,
    credentials bytea,
    ref text not null,
    options jsonb not null,
    timestamp timestamptz(3) not null,
    attempts int not null,
    leases int not null,
    heartbeat_at timestamptz(3),
    created_by text not null,
    created_at timestamptz(3) not null,
    started_at timestamptz(3),
    completed_at timestamptz(3),
    revision text,
    commit_oid text,
    is_partial boolean not null,
    error jsonb,
    warnings jsonb not null
  )`,
  `create index git_operations_space on git_operations (space_id, created_at desc, id desc)`,
  `create index git_operations_secrets on git_operations (completed_at) where credentials is not null`,
  `create index git_operations_running on git_operations (state) where ${isOpen}`,
  `create index git_operations_turns on git_operations (organization_id) where ${isOpen}`,
  `create index git_operations_sync on git_operations (sync_id, created_at desc) where sync_id is not null`,
  `create table git_syncs (
    space_id text primary key,
    id text not null unique,
    url text not null,
    ref text not null,
    project_directory text not null,
    direction text not null,
    credentials bytea,
    webhook_secret bytea not null,
    commit_message text,
    poll_interval int not null,
    initial text,
    synced_revision text,
    synced_commit text,
    poll_id text,
    ask_id text,
    recheck boolean not null,
    due_at timestamptz(3),
    failures int not null,
    error jsonb,
    created_by text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index git_syncs_due on git_syncs (due_at)`,
  `create index git_syncs_asked on git_syncs (space_id) where ask_id is not null`,
  `create table hand_overs (
    id text primary key,
    created_at timestamptz(3) not null
  )`,
  ...messagingTables,
  outboxTrace,
  ...idempotencyTable,
  wakeFunction,
  wakeTrigger('git_operations', { columns: ['state', 'dispatched'], when: `new.${isOpen}` }),
  wakeTrigger('git_syncs', {
    columns: ['due_at', 'ask_id'],
    when: 'new.due_at is not null or new.ask_id is not null',
  }),
]

export class CreateGit1766000000000 implements MigrationInterface {
  readonly name = 'CreateGit1766000000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = 'git_operations, git_syncs, hand_overs, outbox, processed_messages, idempotent_requests'
    await runner.query(`drop table ${tables}`)
    await runner.query('drop function wake_work')
  }
}
