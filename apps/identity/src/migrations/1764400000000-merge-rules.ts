import type { MigrationInterface, QueryRunner } from 'typeorm'

export class MergeRules1764400000000 implements MigrationInterface {
  readonly name = 'MergeRules1764400000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table organizations add merge_rules jsonb not null default '{"type": "none"}'`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table organizations drop merge_rules')
  }
}
