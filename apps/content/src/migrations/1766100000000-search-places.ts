import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  // A row without a description was written by the version before: the catch-up fills in its place.
  `alter table search_pages add description text, add parent text`,
  `create index search_pages_unplaced on search_pages (space_id) where description is null`,
]

/** The description of a page in the search index, and the page above it. */
export class SearchPlaces1766100000000 implements MigrationInterface {
  readonly name = 'SearchPlaces1766100000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table search_pages drop description, drop parent')
  }
}
