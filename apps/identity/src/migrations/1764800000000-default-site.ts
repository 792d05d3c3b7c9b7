import type { MigrationInterface, QueryRunner } from 'typeorm'

export class DefaultSite1764800000000 implements MigrationInterface {
  readonly name = 'DefaultSite1764800000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table organizations add default_site text')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table organizations drop default_site')
  }
}
