import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `create table content_imports (
    id text primary key,
    space_id text not null references spaces (id) on delete cascade,
    page text,
    source text not null,
    url text not null,
    state text not null,
    attempts int not null,
    heartbeat_at timestamptz(3),
    done int not null,
    total int not null,
    created_by text not null,
    created_at timestamptz(3) not null,
    started_at timestamptz(3),
    completed_at timestamptz(3),
    revision text,
    error jsonb,
    warnings jsonb not null
  )`,
  `create index content_imports_space on content_imports (space_id, created_at desc, id desc)`,
  `create index content_imports_open on content_imports (created_at) where state in ('queued', 'running')`,
]

export class Imports1764200000000 implements MigrationInterface {
  readonly name = 'Imports1764200000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table content_imports')
  }
}
