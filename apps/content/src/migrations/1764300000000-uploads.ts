import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `create table uploads (
    id text primary key,
    organization_id text not null,
    created_by text not null,
    name text not null,
    content_type text not null,
    size int not null,
    hash text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  `create index uploads_expiry on uploads (expires_at)`,
  `create index uploads_hash on uploads (hash) where hash is not null`,
]

export class Uploads1764300000000 implements MigrationInterface {
  readonly name = 'Uploads1764300000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table uploads')
  }
}
