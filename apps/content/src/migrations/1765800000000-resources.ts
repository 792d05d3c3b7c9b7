import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * `spaces` and `collections` inherit from `resources`, which has no rows of its own: a statement on it reads, locks and changes the rows of
 * both. The version before does not name it and goes on with the two tables; the default gives its new rows their type. The checks let the
 * planner leave out the table of the other type.
 */
const statements = [
  `create table resources (
    id text primary key,
    type text not null,
    organization_id text not null,
    parent text,
    position text collate "C" not null,
    default_level text,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    constraint resources_without_rows check (false) no inherit
  )`,
  `alter table spaces add column type text not null default 'space' constraint spaces_type check (type = 'space')`,
  `alter table collections add column type text not null default 'collection' constraint collections_type check (type = 'collection')`,
  `alter table spaces inherit resources`,
  `alter table collections inherit resources`,
]

/** One table of all spaces and collections, with the columns that they share. */
export class Resources1765800000000 implements MigrationInterface {
  readonly name = 'Resources1765800000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['spaces', 'collections']) {
      await runner.query(`alter table ${table} no inherit resources`)
      await runner.query(`alter table ${table} drop column type`)
    }
    await runner.query('drop table resources')
  }
}
