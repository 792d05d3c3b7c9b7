import type { MigrationInterface, QueryRunner } from 'typeorm'

const statements = [
  `create table scim_users (
    organization_id text not null,
    user_id text not null,
    user_name text not null,
    external_id text,
    emails text[] not null,
    attributes jsonb not null,
    updated_at timestamptz(3) not null,
    primary key (organization_id, user_id),
    foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
  )`,
  `create unique index scim_users_user_name on scim_users (organization_id, lower(user_name))`,
  `create index scim_users_external_id on scim_users (organization_id, external_id) where external_id is not null`,
  `create index scim_users_emails on scim_users using gin (emails) with (fastupdate = off)`,
  `create table scim_groups (
    organization_id text not null,
    team_id text not null,
    external_id text,
    attributes jsonb not null,
    updated_at timestamptz(3) not null,
    primary key (organization_id, team_id),
    foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
  )`,
  `create index scim_groups_external_id on scim_groups (organization_id, external_id) where external_id is not null`,
]

/** Names and attributes of members and teams as a provisioning client of their organization has them. */
export class Scim1767000000100 implements MigrationInterface {
  readonly name = 'Scim1767000000100'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table scim_users, scim_groups')
  }
}
