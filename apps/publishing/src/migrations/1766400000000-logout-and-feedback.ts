import type { MigrationInterface, QueryRunner } from 'typeorm'

const up = [
  `alter table site_auth add logout_url text`,
  `create table agent_feedback (
    id text primary key,
    site_id text not null references sites (id) on delete cascade,
    subject jsonb not null,
    feedback jsonb not null,
    reported_by jsonb not null,
    created_at timestamptz(3) not null
  )`,
  `create index agent_feedback_newest on agent_feedback (site_id, created_at desc)`,
  `create index agent_feedback_created on agent_feedback (created_at)`,
]

const down = [`drop table agent_feedback`, `alter table site_auth drop logout_url`]

/** Where visitors go after they signed out, and what AI agents say about sites. */
export class LogoutAndFeedback1766400000000 implements MigrationInterface {
  readonly name = 'LogoutAndFeedback1766400000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement)
  }
}
