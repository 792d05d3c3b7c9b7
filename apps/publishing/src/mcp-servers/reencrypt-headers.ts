import type { Secrets } from '@recto/operation'
import type { AdminCommand } from '@recto/service'
import * as repository from './mcp-servers.repository.ts'
import { openHeaders, sealHeaders } from './sealed-headers.ts'

/** A part of `reencrypt`: encrypts the headers of MCP servers anew with the current secret, so that those before it are not needed any more. */
export function reencryptHeaders(secrets: Secrets): AdminCommand {
  return async (_args, { db, transaction, print }) => {
    const servers = await repository.listIds(db)
    for (const id of servers)
      await transaction(async tx => {
        const row = await repository.lock(tx, id)
        if (!row) return
        await repository.update(tx, id, { headers: sealHeaders(openHeaders(row, secrets), id, secrets) })
      })
    print(`The headers of ${servers.length} MCP servers were encrypted anew.`)
  }
}
