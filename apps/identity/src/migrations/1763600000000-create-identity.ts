import { messagingTables } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const tables = [
  `create table users (
    id text primary key,
    email text not null,
    display_name text not null,
    photo_url text,
    platform_admin boolean not null default false,
    created_at timestamptz(3) not null
  )`,
  `create unique index users_email on users (lower(email))`,
  `create table tokens (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    hash text not null,
    scopes text[] not null,
    hint text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    last_used_at timestamptz(3)
  )`,
  `create unique index tokens_hash on tokens (hash)`,
  `create index tokens_user on tokens (user_id, created_at desc, id desc)`,
  `create table organizations (
    id text primary key,
    title text not null,
    type text not null,
    use_case text,
    email_domains text[] not null,
    default_role text,
    invite_links boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create table members (
    organization_id text not null references organizations (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    role text,
    disabled boolean not null default false,
    joined_at timestamptz(3) not null,
    last_seen_at timestamptz(3),
    primary key (organization_id, user_id)
  )`,
  `create index members_user on members (user_id)`,
]

export class CreateIdentity1763600000000 implements MigrationInterface {
  readonly name = 'CreateIdentity1763600000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tables, ...messagingTables]) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table members, organizations, tokens, users, outbox, processed_messages')
  }
}
