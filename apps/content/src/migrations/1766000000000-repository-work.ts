import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Of triggers that a hand-over creates: the version before cannot write then, and a connection error makes its callers repeat their requests. */
const refusal = `create function refuse_handed_over() returns trigger language plpgsql as $$ begin
  raise exception 'git operations are kept by git-worker' using errcode = '57P03';
end $$`

const statements = [
  `create table repository_work (
    operation_id text primary key,
    space_id text not null,
    lease int not null,
    held_until timestamptz(3) not null,
    outcome jsonb,
    updated_at timestamptz(3) not null
  )`,
  `create index repository_work_space on repository_work (space_id)`,
  `create index repository_work_updated on repository_work (updated_at)`,
  `create index repository_work_held on repository_work (held_until) where outcome is null`,
  refusal,
]

export class RepositoryWork1766000000000 implements MigrationInterface {
  readonly name = 'RepositoryWork1766000000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function refuse_handed_over cascade')
    await runner.query('drop table repository_work')
  }
}
