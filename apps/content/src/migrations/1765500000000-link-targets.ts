import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * The references are projected again, which gives them their keys. Until then, and where a service of the version before writes them, each
 * is a target of its own, as it was.
 */
const statements = [
  `alter table content_references add target_key text collate "C" not null default gen_random_uuid()::text`,
  `create index content_references_target_key on content_references (space_id, target_key, status)`,
  `drop index content_references_status`,
  `create index content_references_status on content_references (space_id, status, target_key)`,
  `update main_projections set revision = null where space_id in (select space_id from content_references)`,
]

/** Lists of references have an item for each target. */
export class LinkTargets1765500000000 implements MigrationInterface {
  readonly name = 'LinkTargets1765500000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index content_references_status')
    await runner.query('drop index content_references_target_key')
    await runner.query('alter table content_references drop target_key')
    await runner.query('create index content_references_status on content_references (space_id, status)')
  }
}
