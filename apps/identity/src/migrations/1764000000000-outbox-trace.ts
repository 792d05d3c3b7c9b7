import { outboxTrace } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Messages carry the trace of what wrote them. */
export class OutboxTrace1764000000000 implements MigrationInterface {
  readonly name = 'OutboxTrace1764000000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outboxTrace)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table outbox drop column trace')
  }
}
