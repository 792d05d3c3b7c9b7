import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `create table oidc_providers (
    id text primary key,
    organization_id text not null references organizations (id) on delete cascade,
    label text not null,
    issuer text,
    client_id text,
    client_secret bytea,
    email_domains text[] not null,
    scopes text[] not null,
    default_team text references teams (id) on delete set null,
    default_role text,
    created_at timestamptz(3) not null
  )`,
  `create index oidc_providers_team on oidc_providers (default_team) where default_team is not null`,
  `create index oidc_providers_newest on oidc_providers (organization_id, created_at, id)`,
  `create table oidc_sign_ins (
    state text primary key,
    provider_id text not null references oidc_providers (id) on delete cascade,
    browser_hash text not null,
    created_at timestamptz(3) not null,
    redeemed_at timestamptz(3)
  )`,
  `create index oidc_sign_ins_provider on oidc_sign_ins (provider_id)`,
  `create index oidc_sign_ins_created on oidc_sign_ins (created_at)`,
  `create table oidc_logouts (
    provider_id text not null references oidc_providers (id) on delete cascade,
    token_id text not null,
    subject text,
    session text,
    issued_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    primary key (provider_id, token_id)
  )`,
  `create index oidc_logouts_expire on oidc_logouts (expires_at)`,
  `alter table tokens
     add column oidc_provider text references oidc_providers (id) on delete cascade,
     add column oidc_subject text,
     add column oidc_session text`,
  `create index tokens_oidc_provider on tokens (oidc_provider, oidc_subject) where oidc_provider is not null`,
]

/** Sign-in with OpenID providers. */
export class OidcSignIn1767000000000 implements MigrationInterface {
  readonly name = 'OidcSignIn1767000000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table tokens drop column oidc_session, drop column oidc_subject, drop column oidc_provider',
    )
    await runner.query('drop table oidc_logouts, oidc_sign_ins, oidc_providers')
  }
}
