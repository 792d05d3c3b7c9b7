import type { MigrationInterface, QueryRunner } from 'typeorm'

const up = [
  `create table site_oidc (
    site_id text primary key references sites (id) on delete cascade,
    version text not null,
    issuer text not null,
    client_id text not null,
    client_secret bytea,
    scopes text[] not null,
    claims jsonb
  )`,
  `create table visitor_sessions (
    token_hash text primary key,
    site_id text not null references sites (id) on delete cascade,
    subject text not null,
    provider_session text,
    content bytea not null,
    started_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  `create index visitor_sessions_subject on visitor_sessions (site_id, subject)`,
  `create index visitor_sessions_expiry on visitor_sessions (expires_at)`,
  `create table visitor_sign_ins (
    state_hash text primary key,
    site_id text not null references sites (id) on delete cascade,
    used_at timestamptz(3) not null
  )`,
  `create index visitor_sign_ins_used on visitor_sign_ins (used_at)`,
  `create table visitor_logouts (
    site_id text not null references sites (id) on delete cascade,
    ended text not null,
    issued_at timestamptz(3) not null,
    primary key (site_id, ended)
  )`,
  `create index visitor_logouts_issued on visitor_logouts (issued_at)`,
]

const tables = ['visitor_logouts', 'visitor_sign_ins', 'visitor_sessions', 'site_oidc']

/** The OpenID providers of sites, and the sessions of visitors who sign in by them. */
export class VisitorSignIn1767000000000 implements MigrationInterface {
  readonly name = 'VisitorSignIn1767000000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(`drop table ${table}`)
  }
}
