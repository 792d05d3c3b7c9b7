import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The grants of an organization, which the list of members reads all of: without an index it read those of all organizations. */
export class GrantsOfOrganization1767300000000 implements MigrationInterface {
  readonly name = 'GrantsOfOrganization1767300000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index grants_organization on grants (organization_id, subject, subject_id)')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index grants_organization')
  }
}
