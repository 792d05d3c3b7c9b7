import { wakeFunction, wakeTrigger } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const isOpen = `new.state in ('queued', 'running')`

/** The triggers that wake the work on rows, by table. */
const wakes = {
  git_operations: { columns: ['state', 'dispatched'], when: isOpen },
  git_syncs: { columns: ['due_at'], when: 'new.due_at is not null' },
  content_imports: { columns: ['state'], when: isOpen },
  translation_runs: { columns: ['state'], when: isOpen },
  translations: {
    columns: ['status', 'source_changed_at'],
    when: `new.status = 'completed' and new.source_changed_at is not null`,
  },
}

export class WakeTriggers1765300000000 implements MigrationInterface {
  readonly name = 'WakeTriggers1765300000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(wakeFunction)
    for (const [table, wake] of Object.entries(wakes)) await runner.query(wakeTrigger(table, wake))
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function wake_work cascade')
  }
}
