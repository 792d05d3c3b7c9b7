import { idempotencyTable, messagingTables, outboxTrace } from '@recto/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const tables = [
  `create table sites (
    id text primary key,
    organization_id text not null,
    type text not null,
    title text not null,
    basename text not null,
    hostname text,
    proxy text,
    visibility text not null,
    published boolean not null,
    adaptive_content boolean not null,
    agents_context text not null,
    version int not null,
    closed_version int not null,
    closed_at timestamptz(3) not null,
    created_by text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create unique index sites_basename on sites (basename)`,
  `create unique index sites_hostname on sites (hostname)`,
  `create unique index sites_proxy on sites (lower(proxy))`,
  `create index sites_closed on sites (closed_at)`,
  `create table deleted_sites (
    site_id text primary key,
    closed_version int not null,
    closed_at timestamptz(3) not null
  )`,
  `create index sites_proxy_host on sites (split_part(lower(proxy), '/', 1))`,
  `create index sites_organization on sites (organization_id, created_at desc, id desc)`,
  `create table site_section_groups (
    id text primary key,
    site_id text not null references sites (id) on delete cascade,
    title text not null,
    icon text,
    group_id text references site_section_groups (id) deferrable initially deferred,
    position text collate "C" not null,
    created_at timestamptz(3) not null
  )`,
  `create index site_section_groups_site on site_section_groups (site_id)`,
  `create table site_sections (
    id text primary key,
    site_id text not null references sites (id) on delete cascade,
    title text not null,
    description text,
    path text not null,
    condition text,
    icon text,
    group_id text references site_section_groups (id) deferrable initially deferred,
    position text collate "C" not null,
    is_default boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create index site_sections_site on site_sections (site_id)`,
  `create table site_spaces (
    id text primary key,
    site_id text not null references sites (id) on delete cascade,
    section_id text references site_sections (id) deferrable initially deferred,
    space_id text not null,
    path text not null,
    condition text,
    position text collate "C" not null,
    is_default boolean not null,
    is_deleted boolean not null,
    deletion_changed_at timestamptz(3),
    created_at timestamptz(3) not null
  )`,
  `create index site_spaces_site on site_spaces (site_id)`,
  `create index site_spaces_space on site_spaces (space_id)`,
  `create table site_customizations (
    site_id text primary key references sites (id) on delete cascade,
    settings jsonb not null,
    updated_at timestamptz(3) not null
  )`,
  `create table site_space_customizations (
    site_space_id text primary key references site_spaces (id) on delete cascade,
    site_id text not null references sites (id) on delete cascade,
    overrides jsonb not null,
    updated_at timestamptz(3) not null
  )`,
  `create index site_space_customizations_site on site_space_customizations (site_id)`,
  `create table site_redirects (
    id text primary key,
    site_id text not null references sites (id) on delete cascade,
    source text not null,
    destination jsonb not null,
    created_at timestamptz(3) not null
  )`,
  `create unique index site_redirects_source on site_redirects (site_id, source)`,
  `create index site_redirects_newest on site_redirects (site_id, created_at desc, id desc)`,
  `create table site_auth (
    site_id text primary key references sites (id) on delete cascade,
    private_key bytea not null,
    previous_key bytea,
    previous_until timestamptz(3),
    fallback_url text
  )`,
  `create table adaptive_schemas (
    site_id text primary key references sites (id) on delete cascade,
    json_schema jsonb not null,
    updated_at timestamptz(3) not null
  )`,
  `create table share_links (
    id text primary key,
    site_id text not null references sites (id) on delete cascade,
    name text not null,
    key text not null,
    active boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create unique index share_links_key on share_links (key)`,
  `create index share_links_site on share_links (site_id, created_at desc, id desc)`,
]

export class CreatePublishing1764500000000 implements MigrationInterface {
  readonly name = 'CreatePublishing1764500000000'

  async up(runner: QueryRunner): Promise<void> {
    const statements = [...tables, ...messagingTables, outboxTrace, ...idempotencyTable]
    for (const statement of statements) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table deleted_sites, site_redirects, site_customizations, site_space_customizations, site_auth, adaptive_schemas, share_links, site_spaces, site_sections, site_section_groups, sites, outbox, processed_messages, idempotent_requests',
    )
  }
}
