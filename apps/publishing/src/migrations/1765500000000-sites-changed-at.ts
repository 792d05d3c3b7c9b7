import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Visitors read what was shown since the last change of the site; the version before this one inserts sites without the time. */
export class SitesChangedAt1765500000000 implements MigrationInterface {
  readonly name = 'SitesChangedAt1765500000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sites add changed_at timestamptz(3) not null default now()')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sites drop changed_at')
  }
}
