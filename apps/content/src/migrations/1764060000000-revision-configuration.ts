import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Keeps the layout of a repository beside the commit: edits of imported content have the one without the other. */
export class RevisionConfiguration1764060000000 implements MigrationInterface {
  readonly name = 'RevisionConfiguration1764060000000'

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table revisions add column configuration jsonb')
    await runner.query(
      `update revisions set configuration = git->'configuration', git = git - 'configuration' where git is not null`,
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `update revisions set git = git || jsonb_build_object('configuration', configuration) where git is not null`,
    )
    await runner.query('alter table revisions drop column configuration')
  }
}
