import type { MigrationInterface, QueryRunner } from 'typeorm'

const up = [
  `create table ask_budgets (
    organization_id text primary key,
    day text not null,
    questions int not null,
    tokens int not null
  )`,
  `create table ask_turns (
    id text primary key,
    organization_id text not null,
    ends_at timestamptz(3) not null
  )`,
  `create index ask_turns_organization on ask_turns (organization_id)`,
]

/** How much organizations ask an engine on a day, and at a time. */
export class Ask1766700000000 implements MigrationInterface {
  readonly name = 'Ask1766700000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ask_turns')
    await runner.query('drop table ask_budgets')
  }
}
