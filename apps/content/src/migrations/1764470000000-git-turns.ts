import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  'alter table git_operations add organization_id text',
  'update git_operations set organization_id = spaces.organization_id from spaces where spaces.id = space_id',
  'alter table git_operations alter organization_id set not null',
  `create index git_operations_turns on git_operations (organization_id) where state in ('queued', 'running')`,
]

export class GitTurns1764470000000 implements MigrationInterface {
  readonly name = 'GitTurns1764470000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table git_operations drop organization_id')
  }
}
