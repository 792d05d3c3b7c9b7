import { idempotencyTable, messagingTables, outboxTrace } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const tables = [
  `create table openapi_specs (
    id text primary key,
    organization_id text not null,
    slug text not null,
    source_url text,
    visibility text not null,
    state text not null,
    attempts int not null,
    due_at timestamptz(3),
    heartbeat_at timestamptz(3),
    failures int not null,
    source_version int not null,
    etag text,
    last_modified text,
    last_version text,
    processed_at timestamptz(3),
    error_code text,
    errors jsonb not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create unique index openapi_specs_slug on openapi_specs (organization_id, slug)`,
  `create index openapi_specs_created on openapi_specs (organization_id, created_at desc, id desc)`,
  `create index openapi_specs_due on openapi_specs (due_at) where due_at is not null`,
  `create table openapi_spec_texts (
    spec_id text primary key references openapi_specs (id) on delete cascade,
    text text not null
  )`,
  `create table openapi_spec_versions (
    id text primary key,
    spec_id text not null references openapi_specs (id) on delete cascade,
    hash text not null,
    url text,
    created_at timestamptz(3) not null
  )`,
  `create index openapi_spec_versions_spec on openapi_spec_versions (spec_id, created_at desc, id desc)`,
  `create index openapi_spec_versions_hash on openapi_spec_versions (hash)`,
  `create table unused_contents (hash text primary key, since timestamptz(3) not null)`,
]

export class CreateOpenApiSpecs1764600000000 implements MigrationInterface {
  readonly name = 'CreateOpenApiSpecs1764600000000'

  async up(runner: QueryRunner): Promise<void> {
    const statements = [...tables, ...messagingTables, outboxTrace, ...idempotencyTable]
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table unused_contents, openapi_spec_versions, openapi_spec_texts, openapi_specs, outbox, processed_messages, idempotent_requests',
    )
  }
}
