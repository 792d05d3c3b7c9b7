import { wakeTrigger } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Caches in front of readers, and the tags that each has to drop. */
export class EdgePurges1767300000000 implements MigrationInterface {
  readonly name = 'EdgePurges1767300000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table edges (
        id text primary key,
        attempts int not null,
        next_attempt_at timestamptz(3) not null
      )`,
    )
    await runner.query(
      `create table edge_purges (
        edge text not null,
        tag text not null,
        generation text not null,
        waits_since timestamptz(3) not null,
        round int not null,
        due_at timestamptz(3) not null,
        primary key (edge, tag)
      )`,
    )
    await runner.query('create index edge_purges_due on edge_purges (edge, due_at)')
    await runner.query(wakeTrigger('edge_purges', { columns: ['generation', 'due_at'], when: 'true' }))
    await runner.query(wakeTrigger('edges', { columns: ['next_attempt_at'], when: 'true' }))
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table edge_purges, edges')
  }
}
