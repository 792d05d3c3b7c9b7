import { idempotencyTable } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Adds the table of requests with an `Idempotency-Key`. */
export class Idempotency1764050000000 implements MigrationInterface {
  readonly name = 'Idempotency1764050000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of idempotencyTable) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table idempotent_requests')
  }
}
