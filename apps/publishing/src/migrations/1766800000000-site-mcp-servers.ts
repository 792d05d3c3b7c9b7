import type { MigrationInterface, QueryRunner } from 'typeorm'

const up = [
  `create table site_mcp_servers (
    id text primary key,
    site_id text not null references sites (id) on delete cascade,
    name text not null,
    url text not null,
    transport text not null,
    headers bytea not null,
    condition text,
    created_at timestamptz(3) not null
  )`,
  `create index site_mcp_servers_site on site_mcp_servers (site_id, created_at desc)`,
]

/** External MCP servers, whose tools answers of sites may use. */
export class SiteMcpServers1766800000000 implements MigrationInterface {
  readonly name = 'SiteMcpServers1766800000000'

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table site_mcp_servers')
  }
}
