import type { MigrationInterface, QueryRunner } from 'typeorm'

const tables = [
  `create table grants (
    resource_type text not null,
    resource_id text not null,
    organization_id text not null,
    subject text not null,
    subject_id text not null,
    role text not null,
    created_at timestamptz(3) not null,
    primary key (resource_type, resource_id, subject, subject_id)
  )`,
  `create index grants_subject on grants (subject, subject_id)`,
]

export class CreateGrants1763700000000 implements MigrationInterface {
  readonly name = 'CreateGrants1763700000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of tables) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table grants')
  }
}
