import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** An external MCP server of a site; its headers are encrypted. */
export interface McpServerRow {
  id: string
  siteId: string
  name: string
  url: string
  transport: 'sse' | 'http'
  headers: Buffer
  /** Null for a server whose tools everybody's answers may use. */
  condition: string | null
  createdAt: Date
}

export const McpServerEntity = new EntitySchema<McpServerRow>({
  name: 'McpServer',
  tableName: 'site_mcp_servers',
  columns: {
    id: { type: 'text', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    name: { type: 'text' },
    url: { type: 'text' },
    transport: { type: 'text' },
    headers: { type: 'bytea' },
    condition: { type: 'text', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<McpServerRow>,
})
