import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `alter table openapi_specs add lease text`,
  // A lease takes its place; only replicas from before use it.
  `alter table openapi_specs alter source_version set default 0`,
]

/** Which attempt works on a specification. */
export class Leases1764800000000 implements MigrationInterface {
  readonly name = 'Leases1764800000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table openapi_specs drop lease')
  }
}
