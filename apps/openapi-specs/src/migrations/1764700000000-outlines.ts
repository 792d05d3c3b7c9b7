import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `alter table openapi_spec_versions add outline jsonb`,
  // Versions from before get their outline as new versions, when they are read again.
  `update openapi_specs set due_at = now(), etag = null, last_modified = null where last_version is not null and state = 'complete'`,
]

/** The parts of a version that become pages. */
export class Outlines1764700000000 implements MigrationInterface {
  readonly name = 'Outlines1764700000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table openapi_spec_versions drop outline')
  }
}
