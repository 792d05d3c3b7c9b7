import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `create table site_former_paths (
    site_id text not null references sites (id) on delete cascade,
    path text not null,
    kind text not null,
    target_id text not null,
    dropped_at timestamptz(3) not null,
    primary key (site_id, path)
  )`,
  `create index site_former_paths_age on site_former_paths (site_id, dropped_at)`,
]

/** The paths that sections and spaces of sites had before. */
export class SiteFormerPaths1764600000000 implements MigrationInterface {
  readonly name = 'SiteFormerPaths1764600000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table site_former_paths')
  }
}
