import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Which attempt works on a specification. */
export class Leases1764800000000 implements MigrationInterface {
  readonly name = 'Leases1764800000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table openapi_specs add lease text')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table openapi_specs drop lease')
  }
}
