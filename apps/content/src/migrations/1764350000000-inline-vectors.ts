import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Keeps the vector that is ranked in the row of its page where it fits, and moves the one that is not read out: a search reads many. */
export class InlineVectors1764350000000 implements MigrationInterface {
  readonly name = 'InlineVectors1764350000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table search_pages alter column tokens set storage main')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table search_pages alter column tokens set storage extended')
  }
}
