import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  'alter table users add column service_account_of text references organizations (id)',
  'alter table tokens add column allowed_addresses text[]',
  'create index users_service_account_of on users (service_account_of) where service_account_of is not null',
]

/** Service accounts, which are users of one organization and no persons; and the addresses that tokens may be used from. */
export class ServiceAccounts1766950000000 implements MigrationInterface {
  readonly name = 'ServiceAccounts1766950000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table users drop column service_account_of')
    await runner.query('alter table tokens drop column allowed_addresses')
  }
}
