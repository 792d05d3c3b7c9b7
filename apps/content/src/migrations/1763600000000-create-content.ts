import { messagingTables } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const tables = [
  `create table tree_nodes (
    hash text primary key,
    body text not null
  )`,
  `create table documents (
    hash text primary key,
    bytes bytea not null
  )`,
  `create table revisions (
    id text primary key,
    space_id text not null,
    type text not null,
    parents text[] not null,
    pages_root text not null,
    files_root text not null,
    reusable_root text not null,
    variables jsonb not null,
    git jsonb,
    created_by text,
    created_at timestamptz(3) not null
  )`,
  `create index revisions_space on revisions (space_id, created_at desc, id desc)`,
  `create table spaces (
    id text primary key,
    organization_id text not null,
    title text not null,
    emoji text not null,
    language text,
    edit_mode text not null,
    default_level text,
    revision text not null references revisions (id),
    comments int not null default 0,
    change_requests int not null default 0,
    change_requests_open int not null default 0,
    change_requests_draft int not null default 0,
    git_sync jsonb,
    created_by text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3)
  )`,
  `create index spaces_organization on spaces (organization_id, created_at desc, id desc)`,
  `create table git_operations (
    id text primary key,
    space_id text not null references spaces (id) on delete cascade,
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
    heartbeat_at timestamptz(3),
    created_by text not null,
    created_at timestamptz(3) not null,
    started_at timestamptz(3),
    completed_at timestamptz(3),
    revision text,
    commit_oid text,
    error jsonb,
    warnings jsonb not null
  )`,
  `create index git_operations_space on git_operations (space_id, created_at desc, id desc)`,
  `create index git_operations_secrets on git_operations (completed_at) where credentials is not null`,
  `create index git_operations_running on git_operations (state) where state in ('queued', 'running')`,
]

export class CreateContent1763600000000 implements MigrationInterface {
  readonly name = 'CreateContent1763600000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tables, ...messagingTables]) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table git_operations, spaces, revisions, documents, tree_nodes, outbox, processed_messages',
    )
  }
}
