import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `alter table revisions add main_since timestamptz(3)`,
  `alter table content_references add visible_when jsonb`,
  `alter table search_sections add conditions text[] not null default '{}'`,
  `create index search_sections_conditions on search_sections (space_id) where conditions <> '{}'`,
  // Of which trees all visitors see all pages is found out again; so is what is in texts with conditions, of which visitors find nothing until then.
  `update main_projections set has_conditions = true`,
  `update main_projections set revision = null where exists (
    select from search_pages page where page.space_id = main_projections.space_id and page.is_conditional
  ) or exists (
    select from search_sections section
    where section.space_id = main_projections.space_id and section.body ~ '\\m(visitor|space|page)\\.')`,
]

/** Which readers see what: the conditions of references and of sections, and since when main content has been at a revision. */
export class Audience1765400000000 implements MigrationInterface {
  readonly name = 'Audience1765400000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table search_sections drop conditions')
    await runner.query('alter table content_references drop visible_when')
    await runner.query('alter table revisions drop main_since')
  }
}
