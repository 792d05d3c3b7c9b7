import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Bounds the list of entries that the index of subjects has not sorted in yet: each reading of an audit log by subject reads all of it. */
export class PendingList1767400000000 implements MigrationInterface {
  readonly name = 'PendingList1767400000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter index events_subjects set (gin_pending_list_limit = 128)')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter index events_subjects reset (gin_pending_list_limit)')
  }
}
