import { outboxTrace } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Adds the trace context of the request that wrote a message. */
export class OutboxTrace1764000000000 implements MigrationInterface {
  readonly name = 'OutboxTrace1764000000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outboxTrace)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table outbox drop column trace')
  }
}
