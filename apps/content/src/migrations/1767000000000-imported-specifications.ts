import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Whether who started an import reads the specifications of the organization; imports of versions before are not asked. */
export class ImportedSpecifications1767000000000 implements MigrationInterface {
  readonly name = 'ImportedSpecifications1767000000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table content_imports add reads_specifications boolean not null default true')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table content_imports drop reads_specifications')
  }
}
