import { reactionTable } from '@recto/service'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Reactions to events, each of which goes on when another one fails. */
export class EventReactions1765600000000 implements MigrationInterface {
  readonly name = 'EventReactions1765600000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of reactionTable) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table event_reactions')
  }
}
