import type { MigrationInterface, QueryRunner } from 'typeorm'

const organizations = [
  `alter table organizations
     add column hostname text,
     add column logo text,
     add column sso boolean not null default false,
     add column ai boolean not null default false`,
  `create unique index organizations_hostname on organizations (hostname)`,
  `create index organizations_email_domains on organizations using gin (email_domains)`,
]

const members = [
  // Users are written one by one and searched often: a list of pending entries would be read through by each search.
  `create extension if not exists pg_trgm`,
  `create index users_search on users using gin ((display_name || E'\\n' || email) gin_trgm_ops) with (fastupdate = off)`,
  `alter table members add column sso boolean not null default false`,
  `create index members_joined on members (organization_id, joined_at, user_id)`,
  `create index members_seen on members (organization_id, last_seen_at, user_id) where last_seen_at is not null`,
  `create index members_role on members (organization_id, role, joined_at, user_id)`,
]

const teams = [
  `create table teams (
    id text primary key,
    organization_id text not null references organizations (id) on delete cascade,
    title text not null,
    created_at timestamptz(3) not null,
    unique (organization_id, id)
  )`,
  `create index teams_newest on teams (organization_id, created_at, id)`,
  `create table team_members (
    team_id text not null,
    user_id text not null,
    organization_id text not null,
    role text not null,
    added_at timestamptz(3) not null,
    primary key (team_id, user_id),
    foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
    foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
  )`,
  `create index team_members_newest on team_members (team_id, added_at, user_id)`,
  `create index team_members_user on team_members (organization_id, user_id)`,
]

const invites = [
  `create table pending_invites (
    id text primary key,
    organization_id text not null references organizations (id) on delete cascade,
    email text not null,
    role text,
    sso boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create unique index pending_invites_email on pending_invites (organization_id, lower(email))`,
  `create index pending_invites_newest on pending_invites (organization_id, created_at, id)`,
  `create index pending_invites_user on pending_invites (lower(email))`,
  `create table pending_team_members (
    invite_id text not null references pending_invites (id) on delete cascade,
    team_id text not null references teams (id) on delete cascade,
    role text not null,
    primary key (invite_id, team_id)
  )`,
  `create index pending_team_members_team on pending_team_members (team_id)`,
  `create table link_invites (
    id text primary key,
    organization_id text not null references organizations (id) on delete cascade,
    role text,
    space text,
    collection text,
    created_at timestamptz(3) not null
  )`,
  `create index link_invites_newest on link_invites (organization_id, created_at, id)`,
  `create table link_invite_uses (
    invite_id text not null references link_invites (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    used_at timestamptz(3) not null,
    primary key (invite_id, user_id)
  )`,
  `create index link_invite_uses_user on link_invite_uses (user_id)`,
]

const saml = [
  `create table saml_providers (
    id text primary key,
    organization_id text not null references organizations (id) on delete cascade,
    label text not null,
    sso_url text,
    entity_id text,
    certificate text,
    default_team text references teams (id) on delete set null,
    default_role text,
    created_at timestamptz(3) not null
  )`,
  `create index saml_providers_team on saml_providers (default_team) where default_team is not null`,
  `create index saml_providers_newest on saml_providers (organization_id, created_at, id)`,
  `create table saml_requests (
    id text primary key,
    provider_id text not null references saml_providers (id) on delete cascade,
    created_at timestamptz(3) not null
  )`,
  `create index saml_requests_provider on saml_requests (provider_id)`,
  `create index saml_requests_created on saml_requests (created_at)`,
  `create table saml_assertions (
    provider_id text not null references saml_providers (id) on delete cascade,
    assertion_id text not null,
    expires_at timestamptz(3) not null,
    primary key (provider_id, assertion_id)
  )`,
  `create index saml_assertions_expire on saml_assertions (expires_at)`,
  `alter table tokens add column sso_organization text references organizations (id) on delete cascade`,
  `create index tokens_sso on tokens (sso_organization) where sso_organization is not null`,
]

export class People1763700000000 implements MigrationInterface {
  readonly name = 'People1763700000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...organizations, ...members, ...teams, ...invites, ...saml]) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tokens drop column sso_organization')
    await runner.query(
      'drop table saml_assertions, saml_requests, saml_providers, link_invite_uses, link_invites, pending_team_members, pending_invites, team_members, teams',
    )
    await runner.query(
      'drop index members_role, members_seen, members_joined, users_search, organizations_email_domains, organizations_hostname',
    )
    await runner.query('alter table members drop column sso')
    await runner.query(
      'alter table organizations drop column hostname, drop column logo, drop column sso, drop column ai',
    )
  }
}
