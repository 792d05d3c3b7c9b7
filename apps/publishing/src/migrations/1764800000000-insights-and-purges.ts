import type { MigrationInterface, QueryRunner } from 'typeorm'

const tables = [
  `create table insights_counters (
    site_id text not null,
    day text not null,
    type text not null,
    site_space_id text not null,
    space_id text not null,
    page_id text not null,
    detail text not null,
    count int not null,
    primary key (site_id, day, type, site_space_id, space_id, page_id, detail)
  ) with (fillfactor = 70)`,
  `create index insights_counters_day on insights_counters (day)`,
  `create table reader_purges (
    tag text primary key,
    generation text not null,
    requested_at timestamptz(3) not null,
    done_by text[] not null
  )`,
  `create index reader_purges_requested on reader_purges (requested_at)`,
  `create table readers (
    url text primary key,
    attempts int not null,
    next_attempt_at timestamptz(3) not null
  )`,
]

export class InsightsAndPurges1764800000000 implements MigrationInterface {
  readonly name = 'InsightsAndPurges1764800000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(table)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table insights_counters, reader_purges, readers')
  }
}
