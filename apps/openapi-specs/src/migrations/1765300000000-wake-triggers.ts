import { wakeFunction, wakeTrigger } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Specifications that are to be processed wake the work on them: each change of when that is sets the state, too. */
export class WakeTriggers1765300000000 implements MigrationInterface {
  readonly name = 'WakeTriggers1765300000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(wakeFunction)
    await runner.query(wakeTrigger('openapi_specs', { columns: ['state'], when: 'new.due_at is not null' }))
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function wake_work cascade')
  }
}
