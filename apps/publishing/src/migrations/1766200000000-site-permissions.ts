import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Sites that exist, and those that the version before creates, are open to members with their role in the organization. */
const up = [
  `alter table sites add default_level text default 'inherit'`,
  `create table site_grants (
    site_id text not null references sites (id) on delete cascade,
    organization_id text not null,
    subject text not null,
    subject_id text not null,
    role text not null,
    created_at timestamptz(3) not null,
    primary key (site_id, subject, subject_id)
  )`,
  `create index site_grants_newest on site_grants (site_id, subject, created_at desc, subject_id desc)`,
  `create index site_grants_subject on site_grants (organization_id, subject, subject_id)`,
]

const down = [`drop table site_grants`, `alter table sites drop default_level`]

/** Roles of users and teams on sites, and the role of everybody else. */
export class SitePermissions1766200000000 implements MigrationInterface {
  readonly name = 'SitePermissions1766200000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement)
  }
}
