import type { MigrationInterface, QueryRunner } from 'typeorm'

export class SiteAddresses1764900000000 implements MigrationInterface {
  readonly name = 'SiteAddresses1764900000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table site_publications add address text not null default ''`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table site_publications drop address')
  }
}
