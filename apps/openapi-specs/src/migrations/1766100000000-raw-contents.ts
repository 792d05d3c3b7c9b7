import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  // Null where the version before wrote the row.
  'alter table openapi_spec_versions add raw_hash text, add raw_format text',
  'create index openapi_spec_versions_raw_hash on openapi_spec_versions (raw_hash)',
  'alter table openapi_specs add error_count int not null default 0',
]

/** The text that a version was read from, and how many errors the last processing had. */
export class RawContents1766100000000 implements MigrationInterface {
  readonly name = 'RawContents1766100000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table openapi_specs drop error_count')
    await runner.query('alter table openapi_spec_versions drop raw_hash, drop raw_format')
  }
}
