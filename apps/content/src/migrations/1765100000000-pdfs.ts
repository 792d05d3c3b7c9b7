import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `create table pdfs (
    key text primary key,
    space_id text not null,
    hash text,
    fault text,
    leased_until timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  `create index pdfs_space on pdfs (space_id)`,
  `create index pdfs_expiry on pdfs (expires_at)`,
  `create index pdfs_hash on pdfs (hash) where hash is not null`,
]

/** PDFs of revisions: where they are in the blob store, and who makes them. */
export class Pdfs1765100000000 implements MigrationInterface {
  readonly name = 'Pdfs1765100000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table pdfs')
  }
}
