import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Root of the map without entries (`emptyRoot`). */
const emptyRoot = '9f6fcd6e9ebeb6fd0d7a5f9598cc7f9f6a685b1aca77857d8c4b88ee4b14ab06'

const statements = [
  `alter table revisions add computed_root text not null default '${emptyRoot}'`,
  `create index revisions_computed_root on revisions (computed_root) where computed_root <> '${emptyRoot}'`,
  `create table specifications (
    organization_id text not null,
    slug text not null,
    version text not null,
    outline jsonb not null,
    primary key (organization_id, slug)
  )`,
  // Links are filled again by the job that catches up, with the specifications that pages name.
  `truncate main_projections, search_pages, search_sections, search_words, content_references, content_anchors`,
  `create index content_references_spec on content_references (target) where kind = 'openapi'`,
]

/** Computed pages of revisions, and the specifications that they come from. */
export class ComputedPages1764700000000 implements MigrationInterface {
  readonly name = 'ComputedPages1764700000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index content_references_spec')
    await runner.query('drop table specifications')
    await runner.query('alter table revisions drop computed_root')
  }
}
