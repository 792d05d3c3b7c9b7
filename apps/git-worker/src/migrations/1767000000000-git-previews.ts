import { wakeTrigger } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `alter table git_syncs add column previews jsonb`,
  `alter table git_syncs add column status_token bytea`,
  `create table git_previews (
    id text primary key,
    space_id text not null,
    sync_id text not null,
    organization_id text not null,
    number int not null,
    key text not null unique,
    state text not null,
    title text,
    url text,
    changed_at timestamptz(3),
    head text,
    step text not null,
    operation_id text,
    commit_oid text,
    revision text,
    error jsonb,
    report jsonb,
    site_url text,
    due_at timestamptz(3),
    is_taken boolean not null,
    lease int not null,
    attempts int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create unique index git_previews_number on git_previews (sync_id, number)`,
  `create index git_previews_space on git_previews (space_id, created_at desc, id desc)`,
  `create index git_previews_due on git_previews (due_at) where step = 'check'`,
  `create table git_statuses (
    id text primary key,
    preview_id text not null,
    space_id text not null,
    commit_oid text not null,
    state text not null,
    description text not null,
    target_url text,
    version int not null,
    delivered_version int not null,
    due_at timestamptz(3),
    is_taken boolean not null,
    lease int not null,
    attempts int not null,
    error text,
    updated_at timestamptz(3) not null
  )`,
  `create unique index git_statuses_commit on git_statuses (preview_id, commit_oid)`,
  `create index git_statuses_space on git_statuses (space_id)`,
  `create index git_statuses_due on git_statuses (due_at) where due_at is not null`,
  wakeTrigger('git_previews', { columns: ['step', 'due_at'], when: `new.step = 'check'` }),
  wakeTrigger('git_statuses', { columns: ['due_at'], when: 'new.due_at is not null' }),
]

/** The previews of pull requests, and the statuses of their commits. */
export class GitPreviews1767000000000 implements MigrationInterface {
  readonly name = 'GitPreviews1767000000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table git_statuses, git_previews')
    await runner.query('alter table git_syncs drop column previews, drop column status_token')
  }
}
