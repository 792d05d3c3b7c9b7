import { wakeFunction, wakeTrigger } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Tags that readers have to purge wake the work on them, and readers that are to be asked at another time. */
export class WakeTriggers1765300000000 implements MigrationInterface {
  readonly name = 'WakeTriggers1765300000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(wakeFunction)
    await runner.query(wakeTrigger('reader_purges', { columns: ['generation'], when: 'true' }))
    await runner.query(wakeTrigger('readers', { columns: ['next_attempt_at'], when: 'true' }))
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function wake_work cascade')
  }
}
