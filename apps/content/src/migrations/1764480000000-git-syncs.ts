import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `create table git_syncs (
    space_id text primary key references spaces (id) on delete cascade,
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
    recheck boolean not null,
    due_at timestamptz(3),
    failures int not null,
    error jsonb,
    created_by text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index git_syncs_due on git_syncs (due_at)`,
  `alter table git_operations add sync_id text, add is_partial boolean not null default false`,
  `create index git_operations_sync on git_operations (sync_id, created_at desc) where sync_id is not null`,
]

export class GitSyncs1764480000000 implements MigrationInterface {
  readonly name = 'GitSyncs1764480000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table git_operations drop sync_id, drop is_partial')
    await runner.query('drop table git_syncs')
  }
}
