import { wakeTrigger } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Hostnames that sites have are trusted: they were set before anybody asked for a proof. */
const up = [
  `create table custom_hostnames (
    id text primary key,
    hostname text not null,
    organization_id text not null,
    site_id text not null references sites (id) on delete cascade,
    token text not null,
    state text not null,
    fault text,
    failing_since timestamptz(3),
    checked_at timestamptz(3),
    due_at timestamptz(3),
    created_at timestamptz(3) not null
  )`,
  `create unique index custom_hostnames_claim on custom_hostnames (hostname, organization_id)`,
  `create index custom_hostnames_site on custom_hostnames (site_id)`,
  `create index custom_hostnames_due on custom_hostnames (due_at) where due_at is not null`,
  `insert into custom_hostnames (id, hostname, organization_id, site_id, token, state, created_at)
    select gen_random_uuid()::text, hostname, organization_id, id, replace(gen_random_uuid()::text, '-', ''), 'trusted', updated_at
    from sites where hostname is not null`,
  wakeTrigger('custom_hostnames', { columns: ['due_at'], when: 'new.due_at is not null' }),
]

/** Claims to hostnames, and the records that prove them. */
export class CustomHostnames1766300000000 implements MigrationInterface {
  readonly name = 'CustomHostnames1766300000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table custom_hostnames')
  }
}
