import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  // Search and links are filled again by the job that catches up, with what visitors may find.
  `truncate main_projections, search_pages, search_sections, search_words, content_references, content_anchors`,
  `alter table main_projections add has_conditions boolean not null default true, add paths_revision text`,
  `alter table search_pages add is_conditional boolean not null default true`,
  `create table former_paths (
    space_id text not null,
    path text not null,
    page_id text not null,
    main_number int not null,
    primary key (space_id, path)
  )`,
  `create index former_paths_age on former_paths (space_id, main_number)`,
]

/** The paths that pages had before, and what a search of visitors must not find. */
export class FormerPaths1764600000000 implements MigrationInterface {
  readonly name = 'FormerPaths1764600000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table former_paths')
    await runner.query('alter table search_pages drop is_conditional')
    await runner.query('alter table main_projections drop has_conditions, drop paths_revision')
  }
}
