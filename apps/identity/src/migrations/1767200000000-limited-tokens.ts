import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The resources that tokens are limited to. */
export class LimitedTokens1767200000000 implements MigrationInterface {
  readonly name = 'LimitedTokens1767200000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tokens add column limited_to jsonb')
  }

  async down(runner: QueryRunner): Promise<void> {
    // Without the column they would be tokens that are not limited.
    await runner.query('delete from tokens where limited_to is not null')
    await runner.query('alter table tokens drop column limited_to')
  }
}
