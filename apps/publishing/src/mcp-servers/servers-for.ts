import type { Visitor } from '@recto/actor'
import type { Db } from '@recto/database'
import { meetsCondition } from '@recto/expressions'
import type { Secrets } from '@recto/operation'
import * as repository from './mcp-servers.repository.ts'
import { openHeaders, type Headers } from './sealed-headers.ts'

/** A server whose tools an answer may use. */
export interface OpenMcpServer {
  name: string
  url: string
  transport: 'sse' | 'http'
  headers: Headers
}

/** The MCP servers of a site whose condition holds for who asks. Members have no claims, so they meet none that needs some. */
export async function serversFor(
  { db, signingSecret }: { db: Db; signingSecret: Secrets },
  siteId: string,
  visitor: Pick<Visitor, 'claims'> | undefined,
): Promise<OpenMcpServer[]> {
  const scope = { visitor: { claims: visitor?.claims ?? {} } }
  const rows = (await repository.allOn(db, siteId)).filter(row => meetsCondition(row.condition ?? undefined, scope))
  return rows.map(row => {
    const { name, url, transport } = row
    return { name, url, transport, headers: openHeaders(row, signingSecret) }
  })
}
