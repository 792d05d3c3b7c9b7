import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  // The version before inserts rows without these columns.
  `alter table content_imports add files jsonb not null default '[]', add pages jsonb not null default '[]', add site_id text`,
  `alter table change_requests add links jsonb not null default '[]'`,
]

/** Files, pages and the site of imports, and links of change requests. */
export class ImportRuns1766200000000 implements MigrationInterface {
  readonly name = 'ImportRuns1766200000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table content_imports drop files, drop pages, drop site_id')
    await runner.query('alter table change_requests drop links')
  }
}
