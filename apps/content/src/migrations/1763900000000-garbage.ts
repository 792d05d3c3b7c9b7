import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Everything in a node that can be a hash: never fewer than the hashes it references, so that referenced content stays. It splits the
 * text at quotes, because a title can have characters that jsonb refuses, and a regular expression takes four times as long.
 */
const references = `create function node_references(body text) returns text[] language sql immutable parallel safe as
  $$ select array(select piece from unnest(string_to_array(body, '"')) as piece where length(piece) = 64) $$`

const statements = [
  references,
  `create index tree_nodes_references on tree_nodes using gin (node_references(body))`,
  `create index revisions_roots on revisions using gin ((array[pages_root, files_root, reusable_root]))`,
  `create table garbage (
    kind text not null,
    hash text not null,
    since timestamptz(3) not null,
    primary key (kind, hash)
  )`,
  `create index garbage_since on garbage (kind, since)`,
]

export class Garbage1763900000000 implements MigrationInterface {
  readonly name = 'Garbage1763900000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table garbage')
    await runner.query('drop index tree_nodes_references, revisions_roots')
    await runner.query('drop function node_references')
  }
}
