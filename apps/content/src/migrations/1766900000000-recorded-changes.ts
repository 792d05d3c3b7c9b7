import { recordTable } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The numbers of the changes that this service puts into the record of an organization. */
export class RecordedChanges1766900000000 implements MigrationInterface {
  readonly name = 'RecordedChanges1766900000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of recordTable) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table record_counters')
  }
}
