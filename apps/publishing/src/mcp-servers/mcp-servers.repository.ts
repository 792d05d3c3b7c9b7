import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import { Failure } from '@recto/operation'
import { McpServerEntity, type McpServerRow } from './mcp-server.entity.ts'

const columns = columnsOf(McpServerEntity, 'site_mcp_servers')

/** The MCP servers of a site, the newest first. */
export async function list(db: Db, siteId: string, request: ListRequest): Promise<ListPage<McpServerRow>> {
  const sql = `select ${columns} from site_mcp_servers where site_id = $1`
  return listPage<McpServerRow>(db, { sql, values: [siteId], ...newestFirst }, request)
}

/** All MCP servers of a site, the oldest first. */
export async function allOn(db: Db, siteId: string): Promise<McpServerRow[]> {
  return db.find(McpServerEntity, { where: { siteId }, order: { createdAt: 'ASC', id: 'ASC' } })
}

/** How many MCP servers a site has. */
export async function count(db: Db, siteId: string): Promise<number> {
  return db.countBy(McpServerEntity, { siteId })
}

/** Throws `not_found` when the site has no such server. */
export async function get(db: Db, of: { siteId: string; id: string }): Promise<McpServerRow> {
  const row = await db.findOneBy(McpServerEntity, of)
  if (!row) throw new Failure('not_found', 'There is no such MCP server')
  return row
}

/** Writes a new server. */
export async function insert(db: Db, row: McpServerRow): Promise<void> {
  await db.insert(McpServerEntity, row)
}

/** Changes a server. */
export async function update(db: Db, id: string, changes: Partial<McpServerRow>): Promise<void> {
  await db.update(McpServerEntity, { id }, changes)
}

/** Deletes a server of a site; false where it has none. */
export async function remove(db: Db, of: { siteId: string; id: string }): Promise<boolean> {
  const { affected } = await db.delete(McpServerEntity, of)
  return affected === 1
}

/** Ids of all servers. */
export async function listIds(db: Db): Promise<string[]> {
  const rows = await db.find(McpServerEntity, { select: { id: true } })
  return rows.map(({ id }) => id)
}

/** A server, locked until the transaction ends; undefined when it is gone. */
export async function lock(db: Db, id: string): Promise<McpServerRow | undefined> {
  return (await db.findOne(McpServerEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })) ?? undefined
}
