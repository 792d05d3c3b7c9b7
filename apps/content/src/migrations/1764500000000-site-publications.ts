import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `alter table spaces add publication jsonb`,
  `create table site_states (site_id text primary key, version int not null)`,
  `create table site_publications (
    site_id text not null,
    space_id text not null,
    visibility text not null,
    url text not null,
    primary key (site_id, space_id)
  )`,
  `create index site_publications_space on site_publications (space_id)`,
]

/** The spaces that published sites show, from publishing's events. */
export class SitePublications1764500000000 implements MigrationInterface {
  readonly name = 'SitePublications1764500000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table site_publications, site_states')
    await runner.query('alter table spaces drop publication')
  }
}
