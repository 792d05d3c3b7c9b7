import type { Visitor } from '@recto/actor'
import type { Db } from '@recto/database'
import { meetsCondition } from '@recto/expressions'
import type { Secrets } from '@recto/operation'
import type { McpServerRow } from './mcp-server.entity.ts'
import * as repository from './mcp-servers.repository.ts'
import { readableHeaders, type Headers } from './sealed-headers.ts'

/** A server whose tools an answer may use. */
type OpenMcpServer = Pick<McpServerRow, 'name' | 'url' | 'transport'> & { headers: Headers }

/**
 * The MCP servers of a site whose condition holds for who asks. Members have no claims, so they meet none that needs some. A server whose
 * headers cannot be decrypted any more is left out.
 */
export async function serversFor(
  { db, signingSecret }: { db: Db; signingSecret: Secrets },
  siteId: string,
  visitor: Pick<Visitor, 'claims'> | undefined,
): Promise<OpenMcpServer[]> {
  const scope = { visitor: { claims: visitor?.claims ?? {} } }
  const rows = (await repository.allOn(db, siteId)).filter(row => meetsCondition(row.condition ?? undefined, scope))
  return rows.flatMap(row => {
    const { name, url, transport } = row
    const headers = readableHeaders(row, signingSecret)
    return headers ? [{ name, url, transport, headers }] : []
  })
}
