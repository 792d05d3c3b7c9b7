import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `create table oauth_clients (
    id text primary key,
    organization_id text references organizations (id) on delete cascade,
    self_registered boolean not null,
    name text not null,
    type text not null,
    redirect_uris text[] not null,
    metadata bytea not null,
    created_at timestamptz(3) not null
  )`,
  `create index oauth_clients_newest on oauth_clients (organization_id, created_at, id)`,
  `create table oauth_grants (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    token_id text not null references tokens (id) on delete cascade,
    sso_organization text,
    client_id text not null,
    client_name text not null,
    client_host text,
    scopes text[] not null,
    payload bytea not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3),
    expires_at timestamptz(3) not null
  )`,
  `create index oauth_grants_newest on oauth_grants (user_id, created_at, id)`,
  `create index oauth_grants_token on oauth_grants (token_id)`,
  `create index oauth_grants_client on oauth_grants (client_id)`,
  `create index oauth_grants_expire on oauth_grants (expires_at)`,
  // Grants refer to tokens, too: a backup fills both before this is checked.
  `alter table tokens add column grant_id text references oauth_grants (id) on delete cascade deferrable`,
  `create index tokens_grant on tokens (grant_id) where grant_id is not null`,
  `create table oauth_sessions (
    uid text primary key,
    hash text not null unique,
    user_id text references users (id) on delete cascade,
    token_id text references tokens (id) on delete cascade,
    sso_organization text,
    payload bytea not null,
    user_agent text,
    created_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  `create index oauth_sessions_newest on oauth_sessions (user_id, created_at, uid) where user_id is not null`,
  `create index oauth_sessions_token on oauth_sessions (token_id) where token_id is not null`,
  `create index oauth_sessions_expire on oauth_sessions (expires_at)`,
  `create table oauth_artifacts (
    kind text not null,
    hash text not null,
    user_code_hash text,
    grant_id text references oauth_grants (id) on delete cascade,
    token_id text references tokens (id) on delete cascade,
    payload bytea not null,
    consumed_at timestamptz(3),
    expires_at timestamptz(3) not null,
    primary key (kind, hash)
  )`,
  `create unique index oauth_artifacts_user_code on oauth_artifacts (user_code_hash) where user_code_hash is not null`,
  `create index oauth_artifacts_grant on oauth_artifacts (grant_id) where grant_id is not null`,
  `create index oauth_artifacts_token on oauth_artifacts (token_id) where token_id is not null`,
  `create index oauth_artifacts_expire on oauth_artifacts (expires_at)`,
]

/** The OAuth authorization server: programs, grants, sessions of browsers, codes and tokens. */
export class OAuth1767100000000 implements MigrationInterface {
  readonly name = 'OAuth1767100000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table oauth_artifacts, oauth_sessions')
    await runner.query('alter table tokens drop column grant_id')
    await runner.query('drop table oauth_grants, oauth_clients')
  }
}
