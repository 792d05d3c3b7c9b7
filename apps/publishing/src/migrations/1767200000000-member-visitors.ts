import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Sites that sign members of their organization in as visitors. */
export class MemberVisitors1767200000000 implements MigrationInterface {
  readonly name = 'MemberVisitors1767200000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table site_member_visitors (
        site_id text primary key references sites (id) on delete cascade,
        version text not null,
        claims jsonb
      )`,
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table site_member_visitors')
  }
}
