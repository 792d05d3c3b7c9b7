import type { MigrationInterface, QueryRunner } from 'typeorm'

/** A draft and a live redirect may have the same source. The index keeps its name, by which the version before this one knows a conflict. */
const up = [
  `alter table site_redirects
    add draft boolean not null default false,
    add capture_wildcard boolean not null default false,
    add permanent boolean not null default false,
    add updated_at timestamptz(3)`,
  `drop index site_redirects_source`,
  `create unique index site_redirects_source on site_redirects (site_id, source, draft)`,
  `create index site_redirects_wildcards on site_redirects (site_id) where source like '%*' and not draft`,
]

const down = [
  `drop index site_redirects_wildcards`,
  `delete from site_redirects where draft`,
  `drop index site_redirects_source`,
  `alter table site_redirects drop draft, drop capture_wildcard, drop permanent, drop updated_at`,
  `create unique index site_redirects_source on site_redirects (site_id, source)`,
]

/** Drafts, wildcards, permanence and the time of the last change of redirects. */
export class RedirectSettings1766000000000 implements MigrationInterface {
  readonly name = 'RedirectSettings1766000000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement)
  }
}
