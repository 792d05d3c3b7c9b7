import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Projections are emptied where their tables change: the service fills them again when it starts. */
const statements = [
  `truncate main_projections, search_pages, search_sections, search_words, content_references, page_anchors`,
  `alter table content_references rename page_id to source_id`,
  `alter table content_references add source_kind text not null`,
  `alter table page_anchors rename page_id to source_id`,
  `alter table page_anchors rename to content_anchors`,
  `alter table content_imports add change_request_id text references change_requests (id) on delete cascade`,
]

export class ChangeRequestLinksAndImports1764460000000 implements MigrationInterface {
  readonly name = 'ChangeRequestLinksAndImports1764460000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table content_imports drop change_request_id')
    await runner.query(
      'truncate main_projections, search_pages, search_sections, search_words, content_references, content_anchors',
    )
    await runner.query('alter table content_anchors rename to page_anchors')
    await runner.query('alter table page_anchors rename source_id to page_id')
    await runner.query('alter table content_references drop source_kind')
    await runner.query('alter table content_references rename source_id to page_id')
  }
}
