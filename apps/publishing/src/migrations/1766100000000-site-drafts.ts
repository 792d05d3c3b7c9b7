import type { MigrationInterface, QueryRunner } from 'typeorm'

const up = [
  `alter table site_sections
    add draft boolean not null default false,
    add localized_title jsonb,
    add localized_description jsonb`,
  `alter table site_section_groups
    add draft boolean not null default false,
    add localized_title jsonb`,
  `alter table site_spaces
    add draft boolean not null default false,
    add hidden boolean not null default false,
    add page_id text,
    add title text,
    add localized_title jsonb`,
  `create table site_external_links (
    id text primary key,
    site_id text not null references sites (id) on delete cascade,
    title text not null,
    localized_title jsonb,
    description text,
    localized_description jsonb,
    icon text,
    url text not null,
    condition text,
    group_id text references site_section_groups (id) deferrable initially deferred,
    position text collate "C" not null,
    draft boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create index site_external_links_site on site_external_links (site_id)`,
]

const down = [
  `drop table site_external_links`,
  `delete from site_spaces where draft or section_id in (select id from site_sections where draft)`,
  `delete from site_sections where draft`,
  `alter table site_spaces drop draft, drop hidden, drop page_id, drop title, drop localized_title`,
  `alter table site_section_groups drop draft, drop localized_title`,
  `alter table site_sections drop draft, drop localized_title, drop localized_description`,
]

/** Drafts, texts in other languages, and links of the navigation of sites. */
export class SiteDrafts1766100000000 implements MigrationInterface {
  readonly name = 'SiteDrafts1766100000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement)
  }
}
