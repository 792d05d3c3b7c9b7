import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `create table translations (
    id text primary key,
    organization_id text not null,
    source_space_id text not null references spaces (id) on delete cascade,
    source_language text not null,
    target_space_id text not null references spaces (id) on delete cascade,
    language text not null,
    instructions jsonb not null,
    status text not null,
    source_revision text,
    source_changed_at timestamptz(3),
    machine_revision text not null,
    settings text not null,
    unfinished text[] not null,
    runs int not null,
    total_words int not null,
    total_pages int not null,
    total_duration int not null,
    latest_duration int not null,
    latest_pages int not null,
    latest_words int not null,
    created_by text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index translations_organization on translations (organization_id, created_at desc, id desc)`,
  `create index translations_source on translations (source_space_id)`,
  `create index translations_target on translations (target_space_id)`,
  `create table translation_runs (
    id text primary key,
    translation_id text not null references translations (id) on delete cascade,
    state text not null,
    attempts int not null,
    heartbeat_at timestamptz(3),
    done int not null,
    total int not null,
    segments int not null,
    characters int not null,
    words int not null,
    is_repeated boolean not null,
    created_by text not null,
    created_at timestamptz(3) not null,
    started_at timestamptz(3),
    completed_at timestamptz(3),
    source_revision text,
    revision text,
    error jsonb,
    failures jsonb not null,
    kept jsonb not null,
    notes int not null
  )`,
  `create index translation_runs_translation on translation_runs (translation_id, created_at desc, id desc)`,
  `create unique index translation_runs_open on translation_runs (translation_id) where state in ('queued', 'running')`,
  `create table translation_memory (
    translation_id text not null references translations (id) on delete cascade,
    hash text not null,
    text text not null,
    primary key (translation_id, hash)
  )`,
  `create table glossary_entries (
    id text primary key,
    organization_id text not null,
    translations jsonb not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index glossary_entries_organization on glossary_entries (organization_id, created_at desc, id desc)`,
]

export class Translations1765000000000 implements MigrationInterface {
  readonly name = 'Translations1765000000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['glossary_entries', 'translation_memory', 'translation_runs', 'translations'])
      await runner.query(`drop table ${table}`)
  }
}
